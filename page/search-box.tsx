import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { go, hrefOf } from './place.ts';
import { found, type Hit, look } from './search.ts';

/** One box for whatever there is: ids by how they begin, codes, names, symbols, references, heights and epochs. */
export function SearchBox() {
  const box = useBox();
  const { hits = [], error, text } = found.value ?? {};
  const isOpen = box.isOpen.value && found.value !== null;
  return (
    <search class="search">
      <input
        ref={box.input}
        class="search-text"
        name="search"
        {...comboboxOf(isOpen, isOpen && hits.length > 0 ? `hit-${box.chosen.value}` : undefined)}
        aria-keyshortcuts="/"
        placeholder="Search ids, codes, names, blocks"
        maxLength={256}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => box.write(event.currentTarget.value)}
        onKeyDown={box.press}
        onFocus={() => {
          box.isOpen.value = true;
        }}
        onBlur={box.close}
      />
      <div id="hits" role="listbox" aria-label="What was found" hidden={!isOpen || hits.length === 0}>
        {hits.map((hit, index) => (
          <Option
            key={`${hit.kind} ${hit.id}`}
            hit={hit}
            index={index}
            isChosen={index === box.chosen.value}
            onGo={box.leave}
          />
        ))}
      </div>
      {isOpen && hits.length === 0 && (
        <p class="hits quiet" aria-live="polite">
          {error ?? `Nothing begins with “${text}”.`}
        </p>
      )}
    </search>
  );
}

/** What makes an input a box whose list is below it. Types of inputs that are this know only of lists that browsers draw. */
function comboboxOf(isOpen: boolean, active: string | undefined): object {
  return {
    type: 'text',
    role: 'combobox',
    'aria-label': 'Search',
    'aria-expanded': isOpen,
    'aria-controls': 'hits',
    'aria-autocomplete': 'list',
    'aria-activedescendant': active,
  };
}

function Option({ hit, index, isChosen, onGo }: OptionProps) {
  const { kind, id, text, more } = hit;
  return (
    // It is chosen by the arrows of the box, which keeps the focus.
    <a
      id={`hit-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      href={hrefOf(kind, id)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onGo}
    >
      <span class="hit-kind">{kind}</span>
      <span class="hit-text">{text}</span>
      <span class="quiet">{more}</span>
    </a>
  );
}

interface OptionProps {
  readonly hit: Hit;
  readonly index: number;
  readonly isChosen: boolean;
  readonly onGo: () => void;
}

/** Where `/` is a letter of what somebody writes. */
const TEXT_FIELDS = 'input:not([type=range], [type=radio], [type=checkbox]), textarea';

/** What is written and chosen in the box, and what its keys do. */
function useBox() {
  const input = useRef<HTMLInputElement>(null);
  const isOpen = useSignal(false);
  const chosen = useSignal(0);
  const isWaiting = useSignal(false);
  useSignalEffect(() => {
    void found.value;
    chosen.value = 0;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const write = (text: string) => {
    isOpen.value = true;
    isWaiting.value = false;
    look(text);
  };
  // Whoever is elsewhere by now is not fetched from there by the answer.
  const close = () => {
    isOpen.value = false;
    isWaiting.value = false;
  };
  const leave = () => {
    if (input.current) input.current.value = '';
    look('');
    input.current?.blur();
  };
  const press = (event: KeyboardEvent) => {
    const hits = found.peek()?.hits ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') leave();
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      chosen.value = (chosen.peek() + step + hits.length) % hits.length;
    }
    if (event.key !== 'Enter') return;
    isWaiting.value = true;
  };
  // Whoever is faster than the answer goes where its first leads.
  useSignalEffect(() => {
    const hit = found.value?.hits[chosen.peek()];
    if (!isWaiting.value || hit === undefined || found.value?.text !== input.current?.value.trim()) return;
    isWaiting.value = false;
    go(hrefOf(hit.kind, hit.id));
    window.scrollTo(0, 0);
    leave();
  });
  return { input, isOpen, chosen, write, close, leave, press };
}
