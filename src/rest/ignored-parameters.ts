import type { IncomingMessage } from 'node:http';
import distanceOf from 'js-levenshtein';
import { invalidArgument } from '../errors.ts';
import { prefersStrict } from '../http/preferences.ts';
import type { HeaderList } from '../http/write/ready-head.ts';
import { namesOf, type Parameters } from './params.ts';
import { camelCased, peekUnknown } from './query-string.ts';

/** How many names are told at most, and how long each is; dots stand for what is left out. */
const MAX_NAMES = 20;
const MAX_LENGTH = 64;
const MORE = '...';

const NONE: HeaderList = [];

/** What becomes of the parameters of a query that have no meaning for a path. */
export interface IgnoredParameters {
  /**
   * Tells of them in the header `X-Ignored-Parameters`: a filter that is mistyped filters nothing, and this shows it. Says in
   * `Preference-Applied` that they are refused, to a request that prefers so.
   */
  name(request: Pick<IncomingMessage, 'headers'>, rawQuery: string): HeaderList;
  /** Throws INVALID_ARGUMENT for the first of them where the request prefers so. */
  refuse(request: Pick<IncomingMessage, 'headers'>, rawQuery: string): void;
}

/** Finds them in a query that cannot be read, too. */
export function findIgnoredParameters(parameters: Parameters): IgnoredParameters {
  const names = namesOf(parameters);
  const taken = Object.keys(parameters).filter((name) => parameters[name]?.in === 'query');

  function isKnown(name: string): boolean {
    return name === '' || name === 'pretty' || names.documented(name) !== undefined;
  }

  function find(rawQuery: string): readonly string[] {
    if (rawQuery === '') return NONE;
    const ignored = new Set<string>();
    for (const pair of peekUnknown(rawQuery, isKnown)) {
      // What is misused is refused, not ignored.
      if (isKnown(pair.name) || names.misuseOf(pair) !== undefined) continue;
      const name = headerSafe(pair.name);
      const isFull = ignored.size === MAX_NAMES && !ignored.has(name);
      ignored.add(isFull ? MORE : name);
      if (isFull) break;
    }
    return [...ignored];
  }

  return {
    name(request, rawQuery) {
      const ignored = find(rawQuery);
      const applied = prefersStrict(request) ? APPLIED : NONE;
      return ignored.length === 0 ? applied : ['X-Ignored-Parameters', ignored.join(', '), ...applied];
    },
    refuse(request, rawQuery) {
      const [first] = prefersStrict(request) ? find(rawQuery) : NONE;
      if (first === undefined) return;
      const near = nearestOf(first, taken);
      const meant = near === undefined ? '' : ` ${near} was probably meant.`;
      const others = taken.length === 0 ? 'no parameters' : taken.join(', ');
      throw invalidArgument(
        first,
        `Parameter ${first} has no meaning here: the path takes ${others}.${meant} Without the header Prefer: handling=strict it would be ignored.`,
      );
    },
  };
}

const APPLIED: HeaderList = ['Preference-Applied', 'handling=strict'];

/** The parameter whose name is nearest, with its groups or without; undefined where none is near. */
function nearestOf(name: string, taken: readonly string[]): string | undefined {
  const given = simplified(name);
  const distances = taken.map((one) => {
    const [whole, last] = [simplified(one), simplified(one.slice(one.lastIndexOf('.') + 1))];
    return { one, distance: Math.min(distanceOf(given, whole), distanceOf(given, last)) };
  });
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= given.length / 3 ? nearest.one : undefined;
}

/** Case and the way that words are joined are mistaken most. */
function simplified(name: string): string {
  return camelCased(name).toLowerCase();
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
