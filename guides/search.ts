import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.mjs';

/* Searches all guides. The index is fetched when somebody goes to the field, and asked in the browser alone. */

interface Found {
  readonly address: string;
  readonly title: string;
  readonly heading: string;
  readonly start: string;
}

const MOST_SHOWN = 12;

const form = document.querySelector<HTMLFormElement>('form[role=search]');
const field = form?.querySelector('input');
const list = document.getElementById('found');
const state = document.getElementById('found-state');
if (form && field && list && state) start(form, field, list, state);

function start(form: HTMLElement, field: HTMLInputElement, list: HTMLElement, state: HTMLElement): void {
  let index: Promise<MiniSearch> | null = null;
  const load = () => {
    index ??= fetchIndex();
    // What failed once may be tried again.
    index.catch(() => (index = null));
    return index;
  };

  async function search(): Promise<void> {
    const asked = field.value.trim();
    if (asked === '') return show([], '');
    try {
      const found = (await load()).search(asked) as unknown as readonly Found[];
      // Meanwhile somebody may have gone on typing.
      if (field.value.trim() === asked) show(found.slice(0, MOST_SHOWN), describe(found.length));
    } catch {
      show([], 'The index cannot be fetched: is the gateway there?');
    }
  }

  function show(found: readonly Found[], words: string): void {
    list.replaceChildren(...found.map(showOne));
    state.textContent = words;
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  field.addEventListener('focus', () => void load().catch(() => {}));
  field.addEventListener('input', () => void search());
  form.addEventListener('keydown', (event) => move(event, field, list));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === field) return;
    event.preventDefault();
    field.focus();
  });
  // A place in this guide is gone to without a new page.
  list.addEventListener('click', () => {
    field.value = '';
    show([], '');
  });
}

async function fetchIndex(): Promise<MiniSearch> {
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) throw new Error(`the index is answered with ${answer.status}`);
  return MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
}

function describe(count: number): string {
  if (count === 0) return 'No guide has that.';
  return count === 1
    ? 'One section'
    : `${count} sections${count > MOST_SHOWN ? `, the first ${MOST_SHOWN}` : ''}`;
}

function showOne({ address, title, heading, start }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title}: ${heading}`;
  link.append(name, document.createElement('br'), start);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Arrows go through what was found, Escape back to the text. */
function move(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement): void {
  const places = [field, ...list.querySelectorAll('a')];
  const at = places.indexOf(document.activeElement as HTMLInputElement);
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    places[at + step]?.focus();
  } else if (event.key === 'Escape') {
    field.value = '';
    field.dispatchEvent(new Event('input'));
    field.focus();
  }
}
