import type { Enumeration } from '../domain/enumeration.ts';
import { isObject } from '../domain/objects.ts';
import { describeMistakenTime } from '../domain/time.ts';
import { quoted } from '../errors.ts';
import { int64, refusal, ValueError } from './values.ts';

/**
 * JSON objects described as data: which fields an object has, how each is read, and what it is when it is absent.
 * The object that comes out has the table's keys, and its TypeScript type follows from the table. Unknown
 * fields, missing ones and values that cannot be taken throw a ValueError that names the field and the value.
 */
export function object<R extends Rules>(rules: R): Reader<ObjectOf<R>> {
  const known = new Map(Object.entries(rules).map(([key, rule]) => [rule.name ?? key, { key, rule }]));
  return (path, value, context) => {
    if (!isObject(value)) throw wrongType(path, value, 'an object');
    for (const name of Object.keys(value)) {
      if (!known.has(name)) {
        throw new ValueError(`${path} has no field ${quoted(name)}; it has ${[...known.keys()].join(', ')}`);
      }
    }
    const read: Record<string, unknown> = {};
    for (const [name, { key, rule }] of known) {
      const given = value[name];
      if (given !== undefined) read[key] = rule.read(`${path}.${name}`, given, context);
      else if (rule.absent) read[key] = rule.absent(context);
      else throw new ValueError(`${path}.${name} is missing`);
    }
    return read as ObjectOf<R>;
  };
}

export function required<T>(read: Reader<T>): Rule<T> {
  return { read };
}

/** A field that may be left out. */
export function otherwise<T>(absent: T, read: Reader<T>): Rule<T> {
  return { read, absent: () => absent };
}

/** A field that may be left out or null, which are the same. */
export function optional<T>(read: Reader<T>): Rule<T | null> {
  return otherwise(null, nullable(read));
}

/** The field of the object that a key is read from, where their names differ. */
export function named<T>(name: string, rule: Rule<T>): Rule<T> {
  return { ...rule, name };
}

/** Text, checked and brought into form by one of the functions for single values. */
export function textAs<T>(convert: (field: string, text: string) => T): Reader<T> {
  return (path, value) => convert(path, textOr(path, value, 'text'));
}

/** A number of any size, as text, or as a JSON integer that JavaScript holds exactly. */
export function numberAs<T>(convert: (field: string, text: string) => T): Reader<T> {
  return (path, value) => {
    if (typeof value !== 'number') return convert(path, textOr(path, value, 'a number as text'));
    if (!Number.isSafeInteger(value)) {
      throw new ValueError(`${path} ${value} may have lost digits on its way: write it as text`);
    }
    return convert(path, String(value));
  };
}

/** A value of an enumeration, by its name, or by the prefix and the number where the name is not known. */
export function enumerated(enumeration: Enumeration): Reader<number> {
  return (path, value) => {
    const name = textOr(path, value, 'text');
    const number = enumeration.numberOf(name);
    if (number !== undefined) return number;
    const { names, prefix } = enumeration;
    throw refusal(path, name, `is none of ${names.join(', ')}, nor ${prefix} and a number`);
  };
}

/** One of some names of our own. */
export function oneOf<const Name extends string>(names: readonly Name[]): Reader<Name> {
  return (path, value) => {
    const given = textOr(path, value, 'text');
    const name = names.find((one) => one === given);
    if (name !== undefined) return name;
    throw refusal(path, given, `is none of ${names.join(', ')}`);
  };
}

export function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (path, value, context) => (value === null ? null : read(path, value, context));
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (path, value, context) => {
    if (!Array.isArray(value)) throw wrongType(path, value, 'a list');
    return value.map((item, index) => read(`${path}[${index}]`, item, context));
  };
}

export const boolean: Reader<boolean> = (path, value) => {
  if (typeof value !== 'boolean') throw wrongType(path, value, 'true or false');
  return value;
};

/** Text as PostgreSQL can hold it. */
export const text: Reader<string> = (path, value) => textOr(path, value, 'text');

const nanoseconds = numberAs(int64);

/** A time in nanoseconds, and not what another unit or a date would be. */
export const time: Reader<bigint> = (path, value, context) => {
  const written = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const mistake = describeMistakenTime(written);
  if (mistake !== null) throw refusal(path, written, `${mistake}; times are nanoseconds since 1970`);
  return nanoseconds(path, value, context);
};

/** The same as text, for what is kept as JSON. */
export const timeText: Reader<string> = (path, value, context) => `${time(path, value, context)}`;

/** A time that is the block's when it is left out. */
export const blockTimeOrOwn: Rule<bigint> = { read: time, absent: ({ blockTimestamp }) => blockTimestamp };

export interface Context {
  readonly blockTimestamp: bigint;
}

export type Reader<T> = (path: string, value: unknown, context: Context) => T;

export interface Rule<T> {
  readonly name?: string;
  readonly read: Reader<T>;
  readonly absent?: (context: Context) => T;
}

type Rules = Readonly<Record<string, Rule<unknown>>>;
type ObjectOf<R extends Rules> = { readonly [K in keyof R]: R[K] extends Rule<infer T> ? T : never };

function textOr(path: string, value: unknown, expected: string): string {
  if (typeof value !== 'string') throw wrongType(path, value, expected);
  if (value.includes('\0')) throw refusal(path, value, 'holds the character U+0000');
  if (/\p{Surrogate}/u.test(value)) throw refusal(path, value, 'holds half of a surrogate pair');
  return value;
}

function wrongType(path: string, value: unknown, expected: string): ValueError {
  return new ValueError(`${path} must be ${expected}, not ${describe(value)}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}
