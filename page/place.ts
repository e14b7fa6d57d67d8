import { computed, signal } from '@preact/signals';

/** What has a page of its own: an address is `/KIND/ID`. */
export const KINDS = ['market', 'party', 'asset', 'deposit', 'proposal', 'block', 'epoch'] as const;

export type Kind = (typeof KINDS)[number];

/** What the page shows. */
export interface Place {
  /** Null at `/`, where the whole network is. */
  readonly kind: Kind | null;
  /** Its identifier, a block's height, or an epoch's number. */
  readonly id: string;
}

const address = signal(location.pathname + location.search);

export const place = computed<Place>(() => {
  const [kind, id = ''] = pathOf(address.value).split('/').slice(1);
  return isKind(kind) && id !== '' ? { kind, id: decodeURIComponent(id) } : { kind: null, id: '' };
});

/** The height of the block that everything is shown as of, as the address names it (`?at=1087`); null where that is the newest. */
export const at = computed<string | null>(() => {
  const height = new URL(address.value, location.origin).searchParams.get('at');
  return height !== null && /^\d{1,20}$/.test(height) ? `${BigInt(height)}` : null;
});

/** The address of something, as of the block that is shown. */
export function hrefOf(kind: Kind | null, id = ''): string {
  const search = at.value === null ? '' : `?at=${at.value}`;
  return `${kind === null ? '/' : `/${kind}/${encodeURIComponent(id)}`}${search}`;
}

/** Goes to an address of the page without loading it anew. */
export function go(href: string): void {
  if (href === address.peek()) return;
  history.pushState(null, '', href);
  address.value = href;
  focusShown();
}

/** Whoever reads on by keys, or by ear, begins with what is shown: the link that led there may be gone. */
function focusShown(): void {
  document.getElementById('shown')?.focus({ preventScroll: true });
}

/** Shows everything as of a block, or of the newest with null. What was shown before is not kept in the history: a bar that is dragged has many. */
export function showAt(height: string | null): void {
  const url = new URL(address.peek(), location.origin);
  if (height === null) url.searchParams.delete('at');
  else url.searchParams.set('at', height);
  const href = url.pathname + url.search;
  history.replaceState(null, '', href + location.hash);
  address.value = href;
}

/** Has links of the page change what is shown, and the browser's buttons too, for as long as the page is open. */
export function watchAddress(): void {
  window.addEventListener('popstate', () => {
    const href = location.pathname + location.search;
    if (href === address.peek()) return;
    address.value = href;
    focusShown();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || !isOfPage(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search);
    if (link.hash === '') window.scrollTo(0, 0);
    // To what is shown, which the browser would put in the place of what the address names besides.
    else focusShown();
  });
}

function isOfPage(path: string): boolean {
  return path === '/' || isKind(path.split('/')[1]);
}

function isKind(text: string | undefined): text is Kind {
  return KINDS.some((kind) => kind === text);
}

function pathOf(href: string): string {
  return new URL(href, location.origin).pathname;
}
