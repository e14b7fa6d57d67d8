import type { DocumentNode, GraphQLField, GraphQLSchema } from 'graphql';
import type { AnyNoun } from '../../data/noun.ts';
import type { Page } from '../../data/queries/pages.ts';
import type { TextColumn, TextRow } from '../../data/queries/text-rows.ts';
import type { AsOfSource, ListSource } from '../../graphql/sources.ts';
import type { FieldNodes } from './selections.ts';

/**
 * An operation as what is to be read and written for it: a tree of rows, links and lists. Whatever the document says in
 * aliases, fragments and directives is settled in it; the arguments are not.
 */
export interface Plan {
  readonly fields: readonly RootField[];
  /** Every field that has arguments, wherever it stands. Others name them by their places here. */
  readonly asked: readonly AskedField[];
  /** How many fields it has in all. */
  readonly size: number;
}

export type Field = GraphQLField<unknown, unknown>;
export type Path = readonly (string | number)[];

/** A field with its arguments. In a list the path leads by the first element. */
export interface AskedField {
  readonly definition: Field;
  readonly nodes: FieldNodes;
  readonly path: Path;
}

/** What stands `before` a value is its name in the answer, and the comma before that. */
export interface Placed {
  readonly before: string;
}

/** As compiled, before it is known what stands before it. */
export type Unplaced<Compiled> = Compiled extends Compiled ? Omit<Compiled, 'before'> : never;

/** A field that is selected of an object. */
export interface SelectedField extends AskedField {
  readonly name: string;
}

/** Compiles what is selected of an object of a type, each field by a function of the caller's. */
export type CompileFields<Compiled> = (compile: CompileField<Compiled>) => readonly Compiled[];

export interface CompileField<Compiled> {
  readonly typename: (text: string) => Unplaced<Compiled>;
  readonly field: (field: SelectedField) => Unplaced<Compiled>;
}

interface Constant {
  readonly kind: 'constant';
  readonly text: string;
}

/** A field of the query. `asked` is the place of its arguments. */
export type RootField = Placed & {
  readonly name: string;
  readonly nodes: FieldNodes;
  readonly isNullable: boolean;
  /** The same as graphql-js resolves it. */
  readonly resolved: ResolvedField;
} & (
    | Constant
    | { readonly kind: 'list'; readonly list: ListRead }
    | { readonly kind: 'row'; readonly asked: number; readonly argument: string; readonly row: RowRead }
    | { readonly kind: 'nodes'; readonly asked: number; readonly isList: boolean; readonly rowOf: RowOf }
    /** An object that its resolver computes, of which every field exposes a part. */
    | {
        readonly kind: 'computed';
        readonly asked: number;
        readonly definition: Field;
        readonly write: (value: unknown) => string;
      }
    /** The queries as of a block, or of each of several. */
    | {
        readonly kind: 'asOf';
        readonly asked: number;
        readonly isList: boolean;
        readonly readAll: AsOfSource['readAll'];
        readonly fields: readonly RootField[];
      }
    | { readonly kind: 'resolved' }
  );

/** A field that cannot be written from text, as an operation of its own on the object that it is a field of. */
export interface ResolvedField {
  readonly name: string;
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/** What is selected of a node of a type. */
export type RowOf = (typename: string) => RowRead;

/** Rows that are read by their keys. */
export interface RowRead {
  readonly noun: AnyNoun;
  readonly key: string;
  readonly columns: readonly TextColumn[];
  readonly fields: readonly RowField[];
}

/** A field of an object that is a row. The column is the number of the one that holds its value or its key. */
export type RowField = Placed &
  (
    | Constant
    | { readonly kind: 'column'; readonly column: number; readonly write: WriteValue }
    | { readonly kind: 'nodeId'; readonly column: number; readonly typename: string }
    /** Several fields at once, of which PostgreSQL writes an object. */
    | { readonly kind: 'object'; readonly column: number }
    | RelatedField
  );

/** A field whose values are made of all rows of a level at once. */
export type RelatedField = Placed &
  (
    | { readonly kind: 'link'; readonly column: number; readonly row: RowRead; readonly isCertain: boolean }
    | { readonly kind: 'list'; readonly column: number; readonly list: ListRead; readonly noun: AnyNoun }
    | {
        readonly kind: 'resolved';
        readonly column: number;
        readonly noun: AnyNoun;
        readonly field: ResolvedField;
      }
    /** Of an edge: the cursor of its row, and the row. */
    | { readonly kind: 'cursor'; readonly list: string; readonly asked: number }
    | { readonly kind: 'node'; readonly fields: readonly RowField[] }
  );

/** Writes a value as JSON from PostgreSQL's text of it. */
export type WriteValue = (text: string | null) => string;

/** Pages of a list: of one that hangs off no object, or of the same list of many. */
export interface ListRead {
  readonly source: ListSource;
  readonly asked: number;
  readonly columns: readonly TextColumn[];
  readonly fields: readonly ConnectionField[];
  /** Whether anything of the page itself is selected, and not its count alone. */
  readonly hasPage: boolean;
  readonly hasCount: boolean;
  /** The same list with what cannot be written of it alone, if anything. */
  readonly rest: ResolvedField | null;
}

export type ConnectionField = Placed &
  (
    | { readonly kind: 'written'; readonly write: (connection: Connection) => string }
    /** Of each row of the page its edge, or itself. */
    | { readonly kind: 'rows'; readonly fields: readonly RowField[] }
  );

/** A page of a list, its count, and what else is selected of it, as far as they are. */
export interface Connection {
  readonly page: Page<TextRow> | null;
  readonly count: number | null;
  readonly rest: Readonly<Record<string, unknown>> | null;
  /** The name of the list that its cursors carry. */
  readonly list: string;
}

/** Says that a field cannot be written from text. */
export class NotInText extends Error {}
