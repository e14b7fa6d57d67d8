import { type GatewayError, invalidArgument, quoted } from '../errors.ts';
import { ParameterNames } from './parameter-names.ts';
import { parseQueryString, type QueryPair } from './query-string.ts';
import type { ValueType } from './value-types.ts';

/**
 * The parameters of a path, by their documented names: `partyId`, `filter.partyIds`. From this one record come the
 * parser, the types of what it gives and the table of docs/asking.md.
 */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export interface Parameter<Value> {
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly type: ValueType<unknown>;
  readonly list: boolean;
  readonly required: boolean;
  /** Carries the type only; never there. */
  readonly value?: Value;
}

/** What a request gave: lists are empty and other parameters undefined where it gave nothing. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** A part of the path (`/deposit/:id`). */
export function inPath<Value>(type: ValueType<Value>, description: string): Parameter<Value> {
  return { in: 'path', description, type, list: false, required: true };
}

export function required<Value>(type: ValueType<Value>, description: string): Parameter<Value> {
  return { in: 'query', description, type, list: false, required: true };
}

export function optional<Value>(type: ValueType<Value>, description: string): Parameter<Value | undefined> {
  return { in: 'query', description, type, list: false, required: false };
}

/** Given any number of times, with any number of values separated by commas each time. */
export function list<Value>(type: ValueType<Value>, description: string): Parameter<readonly Value[]> {
  return { in: 'query', description, type, list: true, required: false };
}

/** A list, which must have one value at least. */
export function requiredList<Value>(
  type: ValueType<Value>,
  description: string,
): Parameter<readonly Value[]> {
  return { ...list(type, description), required: true };
}

/** A reader of requests for one record of parameters. Build it once. */
export type ParameterReader<P extends Parameters> = (path: PathParts, rawQuery: string) => ParameterValues<P>;

/**
 * Makes the reader of a path's parameters. It takes each part of a name in camelCase or snake_case and ignores names
 * that are not in the record. A parameter that is blank, with nothing after its `=`, is not given, and nor is a blank
 * element of a list. Whatever else is not as documented throws a 400 that names the parameter by its documented name,
 * shows the value and says what is accepted.
 */
export function parameterReader<const P extends Parameters>(parameters: P): ParameterReader<P> {
  const read = readerBeside(parameters, {});
  return (path, rawQuery) => read(path, rawQuery).own;
}

/** Reads a path's own parameters, and others beside them, each apart; throws as `parameterReader` does. */
export function readerBeside<const P extends Parameters, const Q extends Parameters>(own: P, others: Q) {
  const names = namesOf({ ...own, ...others });
  const valuesOf = valueReader(own);
  const othersOf = valueReader(others);
  return (path: PathParts, rawQuery: string) => {
    const given = collect(parseQueryString(rawQuery), names);
    return { own: valuesOf(path, given), others: othersOf(path, given) };
  };
}

type PathParts = Readonly<Record<string, unknown>>;

function valueReader<P extends Parameters>(parameters: P) {
  const all = Object.entries(parameters);
  return (path: PathParts, given: ReadonlyMap<string, readonly string[]>): ParameterValues<P> => {
    const values: Record<string, unknown> = {};
    for (const [name, parameter] of all) {
      const texts = parameter.in === 'path' ? [String(path[name] ?? '')] : (given.get(name) ?? NONE);
      const value = parameter.list ? readList(name, parameter, texts) : readScalar(name, parameter, texts);
      if (value !== undefined) values[name] = value;
    }
    return values as ParameterValues<P>;
  };
}

const NONE: readonly string[] = [];

/** The names that a query can give a path's parameters by. */
export function namesOf(parameters: Parameters): ParameterNames {
  return new ParameterNames(Object.keys(parameters).filter((name) => parameters[name]?.in === 'query'));
}

/** The texts given for each parameter, in their order, under the documented name. */
function collect(pairs: readonly QueryPair[], names: ParameterNames): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>();
  for (const pair of pairs) {
    const name = names.documented(pair.name);
    if (name === undefined) {
      const misuse = names.misuseOf(pair);
      if (misuse !== undefined) throw invalidArgument(misuse.field, misuse.description);
    } else if (pair.value !== '') {
      const texts = given.get(name);
      if (texts === undefined) given.set(name, [pair.value]);
      else texts.push(pair.value);
    }
  }
  return given;
}

function readList(name: string, parameter: Parameter<unknown>, texts: readonly string[]): readonly unknown[] {
  const { type, required } = parameter;
  const elements = texts.flatMap((given) => given.split(',')).filter((given) => given !== '');
  if (required && elements.length === 0) throw missing(name, parameter);
  return elements.map((given) => readText(name, type, given));
}

function readScalar(name: string, parameter: Parameter<unknown>, texts: readonly string[]): unknown {
  const [first, second] = texts;
  if (first !== undefined && second !== undefined) {
    const description = `Parameter ${name} is given ${texts.length} times, as ${quoted(first)} and ${quoted(second)}; it takes one value.`;
    throw invalidArgument(name, description);
  }
  if (first !== undefined) return readText(name, parameter.type, first);
  if (!parameter.required) return undefined;
  throw missing(name, parameter);
}

function missing(name: string, { type }: Parameter<unknown>): GatewayError {
  return invalidArgument(name, `Parameter ${name} is missing; it takes ${type.accepts}.`);
}

function readText(name: string, type: ValueType<unknown>, given: string): unknown {
  const value = type.read(given);
  if (value !== undefined) return value;
  const hint = type.hint?.(given) ?? null;
  const more = hint === null ? '' : ` It ${hint}.`;
  throw invalidArgument(name, `Parameter ${name} is ${quoted(given)}; it takes ${type.accepts}.${more}`);
}
