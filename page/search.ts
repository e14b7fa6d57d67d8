import { signal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { ask } from './connection.ts';
import { graphql } from './graphql.ts';
import { at, type Kind } from './place.ts';

const Search = graphql(`
  query Search($at: Uint64, $text: String!) {
    asOf(height: $at) {
      search(text: $text, first: 12) {
        kind value matched objectId
        market { instrumentName } asset { name } proposal { state } deposit { status }
      }
    }
  }
`);

type Found = NonNullable<ResultOf<typeof Search>['asOf']>['search'][number];

/** Something that was found. */
export interface Hit {
  readonly kind: Kind;
  readonly id: string;
  /** The text that begins with what was looked for. */
  readonly text: string;
  /** What is known of it besides. */
  readonly more: string;
}

/** What was found for a text. */
export const found = signal<{
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly error: string | null;
} | null>(null);

const WAIT_MS = 120;
const MOST_CHARACTERS = 256;
let timer: ReturnType<typeof setTimeout> | undefined;
let wanted = '';

/** Looks for what begins with a text, once its writer pauses. An empty one finds nothing. */
export function look(text: string): void {
  wanted = text.trim().slice(0, MOST_CHARACTERS);
  clearTimeout(timer);
  if (wanted === '') found.value = null;
  else timer = setTimeout(() => void lookNow(wanted), WAIT_MS);
}

async function lookNow(text: string): Promise<void> {
  // A height as the page writes it.
  const plain = /^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text;
  const answer = await ask(Search, { at: at.peek(), text: plain }).then(
    ({ asOf }) => ({ hits: (asOf?.search ?? []).map(hitOf), error: null }),
    (error: Error) => ({ hits: [], error: error.message }),
  );
  // What was written since is another question.
  if (text === wanted) found.value = { text, ...answer };
}

function hitOf({ kind, value, objectId, market, asset, proposal, deposit }: Found): Hit {
  return {
    kind: kind.toLowerCase() as Lowercase<typeof kind>,
    id: objectId,
    text: value,
    more: market?.instrumentName ?? asset?.name ?? wordOf(proposal?.state ?? deposit?.status ?? ''),
  };
}

/** `STATE_OPEN` is `open`. */
function wordOf(name: string): string {
  return name
    .replace(/^(STATE|STATUS)_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}
