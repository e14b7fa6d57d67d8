import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql';
import type { AnyNoun } from '../../data/noun.ts';
import type { TextColumn } from '../../data/queries/text-rows.ts';
import type { ListSource } from '../../graphql/sources.ts';

/**
 * An operation as what is to be read and written for it: a tree of rows, links and lists. Whatever the document says in
 * aliases, fragments and directives is settled in it; the arguments are not.
 */
export interface Plan {
  readonly fields: readonly RootField[];
}

/** A field of the query. What stands `before` its value is its name in the answer, and the comma before that. */
export type RootField = { readonly before: string; readonly name: string; readonly nodes: FieldNodes } & (
  | Constant
  | { readonly kind: 'list'; readonly definition: Field; readonly list: ListRead }
  | { readonly kind: 'row'; readonly definition: Field; readonly argument: string; readonly row: RowRead }
  | { readonly kind: 'node'; readonly definition: Field; readonly rowOf: RowOf }
  | { readonly kind: 'nodes'; readonly definition: Field; readonly rowOf: RowOf }
  | { readonly kind: 'computed'; readonly definition: Field; readonly write: (value: unknown) => string }
  /** What is not read as text: graphql-js resolves it. */
  | { readonly kind: 'resolved' }
);

export type FieldNodes = readonly [FieldNode, ...FieldNode[]];
export type Field = GraphQLField<unknown, unknown>;

/** What is selected of a node of a type. */
export type RowOf = (typename: string) => RowRead;

interface Constant {
  readonly kind: 'constant';
  readonly text: string;
}

/** Rows that are read by their keys. */
export interface RowRead {
  readonly noun: AnyNoun;
  readonly key: string;
  readonly columns: readonly TextColumn[];
  readonly fields: readonly RowField[];
}

/** A field of an object that is a row. The column is the number of the one that holds its value or its key. */
export type RowField = { readonly before: string } & (
  | Constant
  | { readonly kind: 'column'; readonly column: number; readonly write: WriteValue }
  /** Several fields at once, of which PostgreSQL writes an object. */
  | { readonly kind: 'object'; readonly column: number }
  | { readonly kind: 'link'; readonly column: number; readonly row: RowRead; readonly isCertain: boolean }
  | { readonly kind: 'list'; readonly column: number; readonly list: ListRead }
);

/** Writes a value as JSON from PostgreSQL's text of it. */
export type WriteValue = (text: string | null) => string;

/** Pages of a list: of one that hangs off no object, or of the same list of many. */
export interface ListRead {
  readonly source: ListSource;
  readonly definition: Field;
  readonly nodes: FieldNodes;
  readonly columns: readonly TextColumn[];
  readonly fields: readonly ConnectionField[];
  /** Whether anything of the page itself is selected, and not its count alone. */
  readonly hasPage: boolean;
  readonly hasCount: boolean;
}

export type ConnectionField = { readonly before: string } & (
  | Constant
  | { readonly kind: 'edges'; readonly fields: readonly EdgeField[] }
  | { readonly kind: 'pageInfo'; readonly fields: readonly PageInfoField[] }
  | { readonly kind: 'totalCount' }
);

export type EdgeField = { readonly before: string } & (
  | Constant
  | { readonly kind: 'cursor' }
  | { readonly kind: 'node'; readonly fields: readonly RowField[] }
);

export type PageInfoField = { readonly before: string } & (
  | Constant
  | { readonly kind: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' }
);

/** Compiles what is selected of an object of a type, each field by a function of the caller's. */
export type CompileFields = <Compiled extends Placed>(
  type: GraphQLObjectType,
  of: FieldNodes,
  compileField: (definition: Field, nodes: FieldNodes) => Unplaced<Compiled>,
) => readonly Compiled[];

export interface Placed {
  readonly before: string;
}

/** As compiled, before it is known what stands before it. */
export type Unplaced<Compiled> = Compiled extends Compiled ? Omit<Compiled, 'before'> : never;

/** Says that a field cannot be written from text. */
export class NotInText extends Error {}
