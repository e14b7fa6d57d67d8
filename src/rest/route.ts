import type { DocumentNode, ExecutionResult } from 'graphql';
import { cursorAt } from '../domain/cursors.ts';
import type { Page } from '../engine/page-walk.ts';
import type { Operation, QueryOutcome } from '../engine/question.ts';
import { asThrown, notFound } from '../errors.ts';
import type { JsonText } from '../http/write/json.ts';
import { AbsentMembers, type EmptyMembers, withEmpty, writeEmpty } from './absent-members.ts';
import { asOfParameters, inParameters, readerAsOf } from './as-of.ts';
import { type Export, exportParameters, readExport } from './export-parameters.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Parameters, ParameterValues } from './params.ts';

/** One documented path, as the router, the table of docs/asking.md and the tests see it. */
export interface Route {
  readonly method: 'GET';
  /** As express writes it: `/api/v2/deposit/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: Parameters;
  /** The one GraphQL operation that the path stands for. */
  readonly operation: DocumentNode;
  readonly form: RouteForm;
  /** The members of the answer that are absent where they would be null. All others are always there. */
  readonly absentWhenNull: readonly string[];
  /** Those that are empty text instead, of the absent ones in answers to requests of newer releases alone. */
  readonly emptyWhenNull: readonly string[];
  /** Reads a request. Throws INVALID_ARGUMENT for parameters that are not as documented. */
  readonly read: (path: Readonly<Record<string, unknown>>, rawQuery: string) => RouteRequest;
}

/**
 * How the documented body is made of what the operation gives. It passes as it is: all data, or the value of their one
 * field. It is mapped to another shape, whose schema is told. Or it is the rows of a list, page after page.
 */
export type RouteForm =
  | { readonly kind: 'data' | 'field' }
  /** The schema of a row is told where it is not GraphQL's. */
  | { readonly kind: 'rows'; readonly field: string; readonly schema: JsonSchema | undefined }
  | { readonly kind: 'mapped'; readonly schema: JsonSchema };

/** What one request asks. */
export interface RouteRequest {
  /** The variables that it gives to the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The block as of which it asks; the present where there is none. */
  readonly asOf: Operation['asOf'];
  /** The documented body as compact JSON. Throws what the operation failed with, and NOT_FOUND. */
  readonly toJson: (outcome: QueryOutcome) => JsonText;
  /** The rows page after page, where the answer is a list of them. */
  readonly pages?: PagedRequest;
}

/** A list that is asked for page by page, so that one page at a time is held. */
export interface PagedRequest {
  readonly export: Export;
  /**
   * For a page after a cursor, or the first; of so many rows, where the list has pages of any size. A cursor of the present that the
   * request gave goes on as of a block, where one is told.
   */
  readonly variablesAfter: (
    cursor: string | undefined,
    size?: number,
    height?: bigint | null,
  ) => Readonly<Record<string, unknown>>;
  readonly read: (outcome: QueryOutcome) => Page<object>;
  /** As how many rows one of the list counts, where that is not one. */
  readonly countOf?: ((row: object) => number) | undefined;
}

export interface Declaration<P extends Parameters, Data, Variables> {
  readonly path: string;
  readonly summary: string;
  readonly parameters: P;
  /** A parsed operation with the types of its answer and its variables (what gql.tada's `graphql()` gives). */
  readonly operation: DocumentNode & { readonly __apiType?: (variables: Variables) => Data };
  /** Names of members that the network's newer releases added: where they are null they are left out. */
  readonly absentWhenNull?: readonly string[];
}

/** A body that passes as GraphQL gives it, so that it can stay text. It is never mapped. */
interface Passing<Data, Given> {
  readonly passes: 'data' | 'field';
  /** What is missing where the one field is null. A list never is. */
  readonly missing?: {
    readonly field: keyof Data;
    readonly noun: string;
    readonly name: (given: Given) => string;
    readonly message?: (given: Given) => string;
  };
  /** Which of the members that may be absent are empty text instead, in answers to requests of newer releases. */
  readonly emptyMembers?: EmptyMembers<Given>;
  readonly body?: never;
  readonly countOf?: never;
}

/** A body of a shape that is not GraphQL's. */
interface Mapping<Data, Given> {
  readonly passes?: never;
  /** The body as compact JSON. Throws NOT_FOUND. */
  readonly body: (data: Data, given: Given) => JsonText;
  /** The schema of the body, for the OpenAPI document. */
  readonly schema: JsonSchema;
  /** As how many rows one of its list counts, where that is not one. */
  readonly countOf?: (row: object) => number;
}

/**
 * Declares a path whose body is made at once. It takes `asOf` and `asOfTime` besides its own parameters, and one of a list in
 * pages those of exports. The types are checked here, then erased.
 */
export function route<const P extends Parameters, Data, Variables extends object>(
  declaration: Declaration<P, Data, Variables> & {
    readonly variables: (given: ParameterValues<P>) => Loose<Variables>;
  } & (Passing<Data, ParameterValues<P>> | Mapping<Data, ParameterValues<P>>),
): Route {
  const { path, summary, operation, absentWhenNull = [] } = declaration;
  const isList = 'pagination.first' in declaration.parameters;
  const own = { ...declaration.parameters, ...(isList && exportParameters) };
  const parameters = { ...own, ...asOfParameters };
  const readParameters = readerAsOf(own);
  const absent = absentWhenNull.length === 0 ? null : new AbsentMembers(operation, absentWhenNull);
  const toText =
    declaration.body === undefined
      ? passingText(declaration)
      : mappedText<Data, ParameterValues<P>>(declaration.body);
  return {
    ...{ method: 'GET', path, summary, parameters, operation, absentWhenNull },
    emptyWhenNull: declaration.body === undefined ? (declaration.emptyMembers?.names ?? []) : [],
    form:
      declaration.body === undefined
        ? { kind: declaration.passes }
        : { kind: 'mapped', schema: declaration.schema },
    read(path, rawQuery) {
      const { given, asOf } = readParameters(path, rawQuery);
      const variables = withoutUndefined(declaration.variables(given));
      const toJson = (outcome: QueryOutcome) => {
        const json = toText(outcome, given);
        return absent?.leaveOut(json) ?? json;
      };
      if (!isList) return { variables, asOf, toJson };
      const variablesAfter: PagedRequest['variablesAfter'] = (after, first, height) => {
        const own = withoutUndefined(declaration.variables(goingOnAt(given, height)));
        return withoutUndefined({ ...own, first, after: after ?? own['after'] });
      };
      const read = (outcome: QueryOutcome) => pageOf(JSON.parse(toJson(outcome).join('')));
      const { countOf } = declaration;
      return { variables, asOf, toJson, pages: { export: readExport(given), variablesAfter, read, countOf } };
    },
  };
}

function goingOnAt<Given extends object>(given: Given, height: bigint | null | undefined): Given {
  const after = (given as Readonly<Record<string, unknown>>)[AFTER];
  return typeof height !== 'bigint' || typeof after !== 'string'
    ? given
    : { ...given, [AFTER]: cursorAt(after, height) };
}

const AFTER = 'pagination.after';

/** A page of rows as the documented answer has it: the value of its one member. */
function pageOf(body: Readonly<Record<string, DocumentedPage>>): Page<object> {
  const [page] = Object.values(body);
  if (page === undefined) throw new TypeError('the answer has no list');
  const { hasNextPage, endCursor } = page.pageInfo;
  return { rows: page.edges.map(({ node }) => node), next: hasNextPage ? endCursor : null };
}

interface DocumentedPage {
  readonly edges: readonly { readonly node: object }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** The cursors of a page without rows, which the documented page has as empty text. */
const CURSORS = ['startCursor', 'endCursor'];

function passingText<Data, Given>({ passes, missing, emptyMembers }: Passing<Data, Given>) {
  return (outcome: QueryOutcome, given: Given): JsonText => {
    const whole = passes === 'data' ? textOf(outcome) : firstOf(outcome);
    if (
      missing !== undefined &&
      (outcome.kind === 'text' ? isNull(outcome.first) : parsedDataOf<Data>(outcome)[missing.field] === null)
    )
      throw notFound(missing.noun, missing.name(given), missing.message?.(given));
    const isEmptyPage = outcome.kind === 'result' || outcome.isEmptyPage;
    const paged = isEmptyPage ? writeEmpty(whole, CURSORS) : whole;
    return emptyMembers?.isAskedBy(given) ? writeEmpty(paged, emptyMembers.names) : paged;
  };
}

function mappedText<Data, Given extends object>(body: (data: Data, given: Given) => JsonText) {
  return (outcome: QueryOutcome, given: Given): JsonText => body(parsedDataOf<Data>(outcome, given), given);
}

/** The JSON of what an operation gave. Throws what it failed with. */
function textOf(outcome: QueryOutcome): JsonText {
  return outcome.kind === 'text' ? outcome.data : [JSON.stringify(resultData(outcome.result))];
}

/** The JSON of the first field of it. Throws what it failed with. */
function firstOf(outcome: QueryOutcome): JsonText {
  if (outcome.kind === 'text') return outcome.first;
  const [first] = Object.values(resultData(outcome.result) as object);
  return [JSON.stringify(first)];
}

function isNull([first]: JsonText): boolean {
  return first === 'null';
}

/** The data that an operation gave, parsed. Throws what it failed with. */
export function parsedDataOf<Data>(outcome: QueryOutcome, given: object = {}): Data {
  return (
    outcome.kind === 'text' ? JSON.parse(outcome.data.join('')) : resultData(outcome.result, given)
  ) as Data;
}

function resultData({ data, errors }: ExecutionResult, given: object = {}): unknown {
  const [error] = errors ?? [];
  if (error !== undefined) throw inParameters(asThrown(error), given);
  return data;
}

/**
 * Declares a path whose body is a whole list, however long: the operation gives a page of it after a cursor, and
 * is asked again until the list ends.
 */
export function wholeListRoute<const P extends Parameters, Data, Variables extends object>({
  variables: variablesOf,
  field,
  page,
  schema,
  emptyWhenNull = [],
  ...declaration
}: Declaration<P, Data, Variables> & {
  readonly variables: (given: ParameterValues<P>, after: string | undefined) => Loose<Variables>;
  readonly field: string;
  /** The schema of a row, where it is not as GraphQL gives it. */
  readonly schema?: JsonSchema;
  /** The members of a row that are empty text where GraphQL has null. */
  readonly emptyWhenNull?: readonly string[];
  readonly page: (data: Data) => Page<object>;
}): Route {
  const { operation, absentWhenNull = [] } = declaration;
  const own = { ...declaration.parameters, ...exportParameters };
  const readParameters = readerAsOf(own);
  const absent = absentWhenNull.length === 0 ? null : new AbsentMembers(operation, absentWhenNull);
  const leaveOut = (row: object) => absent?.leaveOutOf(row) ?? row;
  const fill = (row: object) => (emptyWhenNull.length === 0 ? row : withEmpty(row, emptyWhenNull));
  return {
    ...{ method: 'GET', form: { kind: 'rows', field, schema }, absentWhenNull: [], emptyWhenNull },
    ...declaration,
    parameters: { ...own, ...asOfParameters },
    read(path, rawQuery) {
      const { given, asOf } = readParameters(path, rawQuery);
      return {
        variables: withoutUndefined(variablesOf(given, undefined)),
        asOf,
        toJson: textOf,
        pages: {
          export: readExport(given),
          variablesAfter: (cursor) => withoutUndefined(variablesOf(given, cursor)),
          read(outcome) {
            const { rows, next } = page(parsedDataOf<Data>(outcome));
            return { rows: rows.map((row) => fill(leaveOut(row))), next };
          },
        },
      };
    },
  };
}

/** A path as documents write it: `/api/v2/deposit/{id}`. */
export function writePath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
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
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) given[name] = value;
  return given;
}
