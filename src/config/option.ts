import { resolve } from 'node:path';

/** One environment variable. `--help` and the table of docs/running.md are made of these. */
export interface Option<Value> {
  readonly name: string;
  /** What it is, as a phrase for a table. */
  readonly what: string;
  /** What values it accepts, as a phrase; errors say the same. */
  readonly takes: string;
  /** The text that stands in for a variable that is not set; null where its absence means something itself. */
  readonly default: string | null;
  /** Gives the value, or throws a RangeError where the text is not accepted. */
  readonly parse: (text: string | null) => Value;
  /** How an error may show what was given: as it is, unless it can hold a secret. */
  readonly show: (text: string) => string;
}

/** Some settings of one concern, by the names that the program has for them. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** What a setting accepts: in words, and as what reads it. What it gives undefined for is not accepted. */
export interface Accepted<Value> {
  readonly takes: string;
  readonly read: (text: string) => Value | undefined;
}

/** An option without a default is null where it is not set. */
export function option<Value, Default extends string | null>(
  name: string,
  what: string,
  initial: Default,
  { takes, read }: Accepted<Value>,
  show: (text: string) => string = (text) => text,
): Option<Default extends string ? Value : Value | null> {
  const parse = (text: string | null) => {
    const value = text === null ? null : read(text);
    if (value === undefined) throw new RangeError(`it takes ${takes}`);
    return value as Default extends string ? Value : Value | null;
  };
  return { name, what, takes, default: initial, parse, show };
}

export function whole(min: number, max: number): Accepted<number> {
  return {
    takes: `a whole number from ${min} to ${max}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Accepted<Choice> {
  return {
    takes: `one of ${choices.join(', ')}`,
    read: (text) => choices.find((choice) => choice === text),
  };
}

export const HOST_NAME: Accepted<string> = {
  takes: 'a host name or an IP address, without brackets or port',
  read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
};

/** Absolute, and without a slash at its end: other folders are named after it. */
export const FOLDER: Accepted<string> = { takes: 'the path of a folder', read: (text) => resolve(text) };

export const ON_OFF: Accepted<'on' | 'off'> = oneOf('on', 'off');
