import type { HeaderList } from '../http/write/ready-head.ts';
import { namesOf, type Parameters } from './params.ts';
import { peekQueryString } from './query-string.ts';

/** How many names the header has at most, and how long each is; dots stand for what is left out. */
const MAX_NAMES = 20;
const MAX_LENGTH = 64;
const MORE = '...';

const NONE: HeaderList = [];

/**
 * Makes what names, in the header `X-Ignored-Parameters`, those parameters of a query that have no meaning for a path: a filter
 * that is mistyped filters nothing, and this shows it. It says so of a query that cannot be read, too.
 */
export function ignoredParametersNamer(parameters: Parameters): (rawQuery: string) => HeaderList {
  const names = namesOf(parameters);
  return (rawQuery) => {
    if (rawQuery === '') return NONE;
    const ignored = new Set<string>();
    for (const pair of peekQueryString(rawQuery)) {
      const isKnown = pair.name === '' || pair.name === 'pretty' || names.documented(pair.name) !== undefined;
      // What is misused is refused, not ignored.
      if (isKnown || names.misuseOf(pair) !== undefined) continue;
      const name = headerSafe(pair.name);
      const isFull = ignored.size === MAX_NAMES && !ignored.has(name);
      ignored.add(isFull ? MORE : name);
      if (isFull) break;
    }
    return ignored.size === 0 ? NONE : ['X-Ignored-Parameters', [...ignored].join(', ')];
  };
}

/** A name as a header can hold it: all but letters, digits and `-_.~` percent-encoded, and cut where it is long. */
function headerSafe(name: string): string {
  let safe = '';
  for (const char of name) {
    const encoded = encodeURIComponent(char).replace(/[!'()*]/g, percentEncoded);
    if (safe.length + encoded.length > MAX_LENGTH) return safe + MORE;
    safe += encoded;
  }
  return safe;
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
