import type { AnyNoun, Noun, Positioned } from '../data/noun.ts';
import type { AsOfArgs } from './as-of.ts';

/**
 * Where the value of a field comes from, where it is not a column of its own name. A field declares it once, with the
 * helper that makes its resolver of it; operations that are answered with text are compiled from it.
 */
export type Source =
  | ListSource
  | RowSource
  | LinkSource
  | JsonSource
  | ComputedSource
  | AsOfSource
  | ResolvedSource
  | OtherSource;

/** A page of a list. */
export interface ListSource {
  readonly kind: 'list';
  readonly noun: Noun<Positioned, never>;
  /** Of a list that hangs off an object: the field of the list's rows that names it, and which of its own has the key. */
  readonly owner: { readonly field: string; readonly key: string } | null;
  /** What the arguments ask of the rows. */
  readonly filterOf: (args: never) => never;
}

/** The row that an argument names. */
export interface RowSource {
  readonly kind: 'row';
  readonly noun: AnyNoun;
  readonly argument: string;
}

/** The row that a column of the object's own names. */
export interface LinkSource {
  readonly kind: 'link';
  readonly noun: AnyNoun;
  readonly key: string;
  /** Whether the row is always there, and never changes. */
  readonly isCertain?: true;
}

/** The objects in a column of JSON, or of text that is read otherwise, whose fields are theirs. */
export interface JsonSource {
  readonly kind: 'json';
  readonly column: string;
  readonly read?: (text: string) => object;
}

/** An object that the resolver computes from the arguments alone, of which every field exposes a part as it is. */
export interface ComputedSource {
  readonly kind: 'computed';
  /** Throws where the arguments are refused whatever is read. */
  readonly check?: (args: never) => void;
}

/** The queries as of a block, or of each of several. */
export interface AsOfSource {
  readonly kind: 'asOf';
  /** Throws where the arguments are refused whatever blocks there are. */
  readonly check: (args: never) => unknown;
  /** What the arguments ask for, block by block. */
  readonly readAll: (args: never) => readonly AsOfArgs[];
}

/** What the resolver of a row's field reads. */
export interface ResolvedSource {
  readonly kind: 'resolved';
  /** Throws where the arguments are refused whatever the row: else each row would come to an error of its own. */
  readonly check: (args: never) => unknown;
}

/** What has a way of its own: the objects with global IDs, and the global ID of an object. */
export interface OtherSource {
  readonly kind: 'node' | 'nodes' | 'nodeId';
}

/** The options of a field that declare its source. */
export function from(source: Source) {
  return { extensions: { source } };
}

/** What a field declares; undefined for one that exposes a column, or is computed. */
export function declaredSource({ extensions }: Declaring): Source | undefined {
  return extensions['source'] as Source | undefined;
}

interface Declaring {
  readonly extensions: Readonly<Record<string, unknown>>;
}
