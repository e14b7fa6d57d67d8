import type { DocumentNode } from 'graphql';
import type { Execute, Operation, Outcome } from '../engine/execute.ts';
import { notFound } from '../errors.ts';
import type { JsonText } from '../http/write/json-text.ts';
import { AbsentMembers } from './absent-members.ts';
import { type EmptyMembers, writeEmpty } from './empty-members.ts';
import { type Parameters, type ParameterValues, parameterReader } from './params.ts';

/** One documented path, as the router, the table of docs/asking.md and the tests see it. */
export interface Route {
  readonly method: 'GET';
  /** As express writes it: `/api/v2/deposit/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: Parameters;
  /** The one GraphQL operation that the path stands for. */
  readonly operation: DocumentNode;
  /** How the documented body is made of the operation's data: as they are, the value of their one field, or a list of its rows. */
  readonly bodyIs: 'the data' | 'their field' | 'its rows';
  /** Whether its body is made at once; else it may be too long to hold. */
  readonly isWhole: boolean;
  /** The members of the answer that are absent where they would be null. All others are always there. */
  readonly absentWhenNull: readonly string[];
  /** Those of them that are empty text instead in answers to requests of newer releases. */
  readonly emptyWhenNull: readonly string[];
  /** Reads a request. Throws INVALID_ARGUMENT for parameters that are not as documented. */
  readonly read: (path: Readonly<Record<string, unknown>>, rawQuery: string) => Question;
}

/** What one request asks. */
export interface Question {
  /** The variables that it gives to the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Runs the operation and makes the documented body; a body that is too long to hold comes as its parts. */
  readonly answer: (execute: Execute) => Promise<Body>;
}

export type Body =
  /** As compact JSON, and the tags of the blocks that may change it; null where any block may. */
  | { readonly kind: 'whole'; readonly json: JsonText; readonly cacheTags: Outcome<unknown>['cacheTags'] }
  /** `{"<field>": [...]}`, the rows page by page, and the same of it. */
  | {
      readonly kind: 'stream';
      readonly field: string;
      readonly pages: AsyncIterable<readonly unknown[]>;
      readonly cacheTags: Outcome<unknown>['cacheTags'];
    };

export interface Declaration<P extends Parameters, Data, Variables> {
  readonly path: string;
  readonly summary: string;
  readonly parameters: P;
  readonly operation: Operation<Data, Variables>;
  /** Names of members that the network's newer releases added: where they are null they are left out. */
  readonly absentWhenNull?: readonly string[];
}

/** Declares a path whose body is made of the operation's data at once. The types are checked here, then erased. */
export function route<const P extends Parameters, Data, Variables extends object>({
  variables: variablesOf,
  body,
  emptyMembers,
  ...declaration
}: Declaration<P, Data, Variables> & {
  readonly variables: (given: ParameterValues<P>) => Loose<Variables>;
  readonly body: (data: Data, given: ParameterValues<P>) => unknown;
  /**
   * Whether the body is the data as they are, or the value of their one field, unless a page has no rows or the thing
   * asked for is not there.
   */
  readonly bodyIs: 'the data' | 'their field';
  /** Which of the members that may be absent are empty text instead, in answers to requests of newer releases. */
  readonly emptyMembers?: EmptyMembers<ParameterValues<P>>;
}): Route {
  const readParameters = parameterReader(declaration.parameters);
  const absent = absentOf(declaration);
  return {
    method: 'GET',
    isWhole: true,
    absentWhenNull: [],
    emptyWhenNull: emptyMembers?.names ?? [],
    ...declaration,
    read(path, rawQuery) {
      const given = readParameters(path, rawQuery);
      const variables = withoutUndefined(variablesOf(given));
      const answer = async (execute: Execute) => {
        const outcome = await execute(declaration.operation, variables as Variables);
        const { text } = outcome;
        const whole =
          text === null
            ? [JSON.stringify(body(outcome.data, given))]
            : declaration.bodyIs === 'the data'
              ? text
              : onlyField(text);
        const json = emptyMembers?.isAskedBy(given) ? writeEmpty(whole, emptyMembers.names) : whole;
        return { kind: 'whole', json: absent?.leaveOut(json) ?? json, cacheTags: outcome.cacheTags } as const;
      };
      return { variables, answer };
    },
  };
}

/**
 * Declares a path whose body is a whole list, however long: the operation gives a page of it after a cursor, and
 * is asked again until the list ends. One page at a time is held.
 */
export function wholeListRoute<const P extends Parameters, Data, Variables extends object>({
  variables: variablesOf,
  field,
  page,
  ...declaration
}: Declaration<P, Data, Variables> & {
  readonly variables: (given: ParameterValues<P>, after: string | undefined) => Loose<Variables>;
  readonly field: string;
  readonly page: (data: Data) => { readonly rows: readonly object[]; readonly next: string | null };
}): Route {
  const readParameters = parameterReader(declaration.parameters);
  const absent = absentOf(declaration);
  return {
    method: 'GET',
    isWhole: false,
    bodyIs: 'its rows',
    absentWhenNull: [],
    emptyWhenNull: [],
    ...declaration,
    read(path, rawQuery) {
      const given = readParameters(path, rawQuery);
      const ask = async (execute: Execute, after: string | undefined) => {
        const variables = withoutUndefined(variablesOf(given, after)) as Variables;
        const { data, cacheTags } = await execute(declaration.operation, variables);
        const { rows, next } = page(data);
        return { rows: absent === null ? rows : rows.map((row) => absent.leaveOutOf(row)), next, cacheTags };
      };
      return {
        variables: withoutUndefined(variablesOf(given, undefined)),
        async answer(execute) {
          // The first page is read before the answer begins, so that its failure is still a proper error.
          const first = await ask(execute, undefined);
          const pages = walkPages(first, (after) => ask(execute, after));
          // Every page depends on what the first does: the rows that pass the filter.
          return { kind: 'stream', field, pages, cacheTags: first.cacheTags };
        },
      };
    },
  };
}

function absentOf({
  operation,
  absentWhenNull = [],
}: {
  readonly operation: DocumentNode;
  readonly absentWhenNull?: readonly string[];
}): AbsentMembers | null {
  return absentWhenNull.length === 0 ? null : new AbsentMembers(operation, absentWhenNull);
}

/** A path as documents write it: `/api/v2/deposit/{id}`. */
export function writePath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** The value of the only field that data have. */
function onlyField(data: JsonText): JsonText {
  const text = data.join('');
  return [text.slice(text.indexOf(':') + 1, -1)];
}

/** The thing asked for. Throws NOT_FOUND where there is none, and says so in its own words or in these. */
export function found<T>(thing: T | null, noun: string, name: string, message?: string): T {
  if (thing === null) throw notFound(noun, name, message);
  return thing;
}

async function* walkPages(
  first: { readonly rows: readonly unknown[]; readonly next: string | null },
  ask: (after: string) => Promise<{ readonly rows: readonly unknown[]; readonly next: string | null }>,
): AsyncGenerator<readonly unknown[]> {
  let page = first;
  yield page.rows;
  while (page.next !== null) {
    page = await ask(page.next);
    yield page.rows;
  }
}

/**
 * Variables as parameters give them: undefined for what is not given, lists that nobody changes. In input objects
 * GraphQL takes undefined for not given by itself, among the variables it would take it for null.
 */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Loose<T[Key]> | (object extends Pick<T, Key> ? undefined : never) }
    : T;

export function withoutUndefined(variables: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}
