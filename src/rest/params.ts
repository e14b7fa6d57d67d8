import { type GatewayError, invalidArgument } from '../errors.ts';
import { quoted } from '../http/quoted.ts';
import { camelCased, parseQueryString, type QueryPair } from './query-string.ts';
import type { ValueType } from './value-types.ts';

/**
 * The parameters of a path, by their documented names: `partyId`, `filter.partyIds`. From this one record come the
 * parser, the types of what it gives and the README's table.
 */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export interface Parameter<Value> {
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly type: ValueType<unknown>;
  readonly list: boolean;
  readonly required: boolean;
  /** Whether an empty text counts as not given, as the reference has it for some. */
  readonly blankable: boolean;
  /** Carries the type only; never there. */
  readonly value?: Value;
}

/** What a request gave: lists are empty and other parameters undefined where it gave nothing. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** A part of the path (`/deposit/:id`). */
export function inPath<Value>(type: ValueType<Value>, description: string): Parameter<Value> {
  return { in: 'path', description, type, list: false, required: true, blankable: false };
}

export function required<Value>(type: ValueType<Value>, description: string): Parameter<Value> {
  return { in: 'query', description, type, list: false, required: true, blankable: false };
}

export function optional<Value>(type: ValueType<Value>, description: string): Parameter<Value | undefined> {
  return { in: 'query', description, type, list: false, required: false, blankable: false };
}

/** Optional, and given with nothing after the `=` the same as not given. */
export function blankable<Value>(type: ValueType<Value>, description: string): Parameter<Value | undefined> {
  return { ...optional(type, description), blankable: true };
}

/** Given any number of times, with any number of values separated by commas each time. */
export function list<Value>(type: ValueType<Value>, description: string): Parameter<readonly Value[]> {
  return { in: 'query', description, type, list: true, required: false, blankable: false };
}

/** A reader of requests for one record of parameters. Build it once. */
export type ParameterReader<P extends Parameters> = (
  path: Readonly<Record<string, unknown>>,
  rawQuery: string,
) => ParameterValues<P>;

/**
 * Makes the reader of a path's parameters. It takes each part of a name in camelCase or snake_case and ignores names
 * that are not in the record; whatever else is not as documented throws a 400 that names the parameter by its
 * documented name, shows the value and says what is accepted. Without query parameters it does not look at the query.
 */
export function parameterReader<const P extends Parameters>(parameters: P): ParameterReader<P> {
  const names = Object.keys(parameters).filter((name) => parameters[name]?.in === 'query');
  const spellings = new Map(names.flatMap((name) => spellingsOf(name).map((spelling) => [spelling, name])));
  const groups = new Set(names.flatMap(groupsOf));
  return (path, rawQuery) => {
    const pairs = names.length === 0 ? [] : parseQueryString(rawQuery);
    const given = collect(pairs, spellings, groups);
    const values: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(parameters)) {
      const texts = parameter.in === 'path' ? [String(path[name] ?? '')] : (given.get(name) ?? []);
      values[name] = parameter.list ? readList(name, parameter, texts) : readScalar(name, parameter, texts);
    }
    return values as ParameterValues<P>;
  };
}

/** The texts given for each parameter, in their order, under the documented name. */
function collect(
  pairs: readonly QueryPair[],
  spellings: ReadonlyMap<string, string>,
  groups: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>();
  for (const { name: spelling, value } of pairs) {
    const name = spellings.get(spelling);
    if (name === undefined) {
      refuseMisuse(spelling, value, spellings, groups);
      continue;
    }
    const texts = given.get(name) ?? [];
    texts.push(value);
    given.set(name, texts);
  }
  return given;
}

function readList(name: string, { type }: Parameter<unknown>, texts: readonly string[]): readonly unknown[] {
  return texts.flatMap((given) => given.split(',')).map((given) => readText(name, type, given));
}

function readScalar(name: string, parameter: Parameter<unknown>, texts: readonly string[]): unknown {
  const [first, second] = texts;
  if (first !== undefined && second !== undefined) {
    const description = `Parameter ${name} is given ${texts.length} times, as ${quoted(first)} and ${quoted(second)}; it takes one value.`;
    throw invalidArgument(name, description);
  }
  if (first !== undefined && !(first === '' && parameter.blankable))
    return readText(name, parameter.type, first);
  if (!parameter.required) return undefined;
  throw invalidArgument(name, `Parameter ${name} is missing; it takes ${parameter.type.accepts}.`);
}

function readText(name: string, type: ValueType<unknown>, given: string): unknown {
  const value = type.read(given);
  if (value !== undefined) return value;
  throw invalidArgument(name, `Parameter ${name} is ${quoted(given)}; it takes ${type.accepts}.`);
}

/** Names that are not known are ignored, unless they take a known one for what it is not. */
function refuseMisuse(
  spelling: string,
  value: string,
  spellings: ReadonlyMap<string, string>,
  groups: ReadonlySet<string>,
): void {
  const bare = camelCased(spelling.split('[', 1)[0] ?? '');
  if (bare.length < spelling.length && spelling.includes('[') && (groups.has(bare) || spellings.has(bare))) {
    throw misuse(
      bare,
      spelling,
      value,
      `brackets have no meaning here: write ${bare}${groups.has(bare) ? '.…' : ''}=…`,
    );
  }
  if (groups.has(bare)) {
    const members = [...new Set(spellings.values())].filter((name) => name.startsWith(`${bare}.`));
    throw misuse(bare, spelling, value, `it takes no value itself, only ${members.join(', ')} do`);
  }
  const scalar = groupsOf(bare).find((prefix) => spellings.has(prefix));
  if (scalar !== undefined) throw misuse(scalar, spelling, value, `${scalar} has no parts`);
}

function misuse(field: string, spelling: string, value: string, reason: string): GatewayError {
  return invalidArgument(
    field,
    `Parameter ${field} is given as ${quoted(`${spelling}=${value}`)}; ${reason}.`,
  );
}

/** Every way to write a name: each of its parts in camelCase or snake_case. */
function spellingsOf(name: string): readonly string[] {
  return name.split('.').reduce<readonly string[]>(
    (heads, part) => {
      const parts = new Set([part, part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
      return heads.flatMap((head) => [...parts].map((tail) => (head === '' ? tail : `${head}.${tail}`)));
    },
    [''],
  );
}

/** What stands before each dot of a name: `dateRange` for `dateRange.startTimestamp`. */
function groupsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
