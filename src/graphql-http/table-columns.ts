import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { badRequest } from '../engine/client-errors.ts';
import { type ArgumentReader, createArgumentReader, isLeftOut } from '../engine/price/argument-reader.ts';
import type { Operation } from '../engine/question.ts';
import { createVariableReader } from '../engine/run/variables.ts';
import type { Column } from '../http/write/csv.ts';

/** What a selection comes to as a table. */
export interface TableForm {
  /** Every value of a row, by where it stands in the answer, lists left out. */
  readonly columns: readonly Column[];
  /** Where the lists are, one within the other, each by the way from the one around it. */
  readonly lists: readonly (readonly string[])[];
  /** How many columns stand around the last list, and are told in each of its rows. */
  readonly around: number;
  /** What the outer list is pages of, where the query asks for no page of its own; null for all other lists. */
  readonly paged: PagedField | null;
  /** The block that the rows are of, where the query names one; null for the newest. */
  readonly asOf: Operation['asOf'];
}

/** A field that gives a list page by page: as a connection, or as groups that have their cursors. */
export interface PagedField {
  readonly kind: 'connection' | 'groups';
  readonly path: readonly string[];
}

/** Where the walk through a selection is. */
interface Walk {
  readonly schema: GraphQLSchema;
  readonly operation: Operation;
  readonly readArgument: ArgumentReader;
  /** By their paths, as JSON: a field may be selected twice. */
  readonly columns: Map<string, Column>;
  /** The paths of lists, each beginning at the root. */
  readonly lists: (readonly string[])[];
  readonly paged: PagedField[];
  /** The paths of lists that are the rows of a connection's page; others within it are of all its rows. */
  readonly pages: (readonly string[])[];
  /** The paths at which somebody asks how pages go on, who walks through them. */
  readonly walked: (readonly string[])[];
  /** The fields of the query that name a block. */
  readonly blocks: FieldNode[];
  /** Where fragments have been walked through: they can multiply. */
  readonly spread: Set<string>;
  /** How many characters the names of all fields have, each with the way to it. */
  characters: number;
}

/**
 * Of the names of all fields together, each with the way to it: fragments repeat a long alias at every place below it, and lines of
 * JSON do at every row. It is as long as a document may be; what is asked honestly has a few thousand.
 */
const MOST_CHARACTERS = 32_768;

/**
 * Finds how a query's answer is a table: its rows are those of the one list that it selects, or of the list within each of these, and
 * what stands around a list is told in each of its rows. Throws INVALID_ARGUMENT for a query that has no list, or several.
 */
export function tableForm(schema: GraphQLSchema, operation: Operation): TableForm {
  const { node, variables } = operation;
  const readVariable = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  const readArgument = createArgumentReader(node, readVariable);
  const walk: Walk = {
    ...{ schema, operation, readArgument, columns: new Map(), lists: [] },
    ...{ paged: [], pages: [], walked: [], blocks: [], spread: new Set(), characters: 0 },
  };
  walkSelection(walk, schema.getQueryType() as GraphQLNamedType, node.selectionSet, []);
  const [outer, ...inner] = walk.lists;
  if (outer === undefined)
    throw badRequest('query', 'The query selects no list: a table has the rows of one. Ask for JSON.');
  const lists = [outer, ...inner.map((path, index) => path.slice(walk.lists[index]?.length))];
  const found = [...walk.columns.values()];
  const namesAround = new Set(found.flatMap(({ path, name }) => (isWithin(path, outer) ? [] : [name])));
  const columns = found.map((column) => ({ ...column, name: nameIn(outer, column, namesAround) }));
  const last = walk.lists.at(-1) ?? outer;
  const around = found.filter(({ path }) => !isWithin(path, last)).length;
  return { columns, lists, around, paged: pagedAs(outer, walk), asOf: asOfAround(outer, walk) };
}

function asOfAround(
  [place]: readonly string[],
  { schema, operation, blocks, columns }: Walk,
): Operation['asOf'] {
  // What stands beside it is of the newest block.
  for (const { path } of columns.values()) if (path[0] !== place) return null;
  const node = blocks.find(({ alias, name }) => (alias ?? name).value === place);
  const field = schema.getQueryType()?.getFields()['asOf'];
  if (node === undefined || field === undefined) return null;
  const variables = createVariableReader(schema, operation.node)(operation.variables);
  // What is wrong with them the first page says.
  if (variables === null) return null;
  const { height, time } = getArgumentValues(field, node, variables) as NonNullable<Operation['asOf']>;
  return (height ?? time ?? null) === null ? null : { height, time };
}

/** The field whose pages a list is; null where there is none, or somebody walks through them. */
function pagedAs(list: readonly string[], { paged, pages, walked }: Walk): PagedField | null {
  const of = pages.some((path) => isSame(path, list)) ? list.slice(0, -1) : list;
  const found = paged.find(({ path }) => isSame(path, of));
  return found === undefined || walked.some((path) => isSame(path, found.path)) ? null : found;
}

function walkSelection(
  walk: Walk,
  type: GraphQLNamedType,
  { selections }: SelectionSetNode,
  path: readonly string[],
): void {
  const { schema, operation, readArgument } = walk;
  for (const selection of selections) {
    // What the price leaves out, too: a walk through it could be without end.
    if (isLeftOut(selection, readArgument)) continue;
    if (selection.kind === 'Field') walkField(walk, type, selection, path);
    else if (isNew(walk, selection, path)) {
      const fragment =
        selection.kind === 'InlineFragment' ? selection : fragmentOf(operation, selection.name.value);
      const { typeCondition, selectionSet } = fragment;
      const own = typeCondition === undefined ? type : typeFromAST(schema, typeCondition);
      walkSelection(walk, own as GraphQLNamedType, selectionSet, path);
    }
  }
}

function isNew({ spread }: Walk, selection: SelectionNode, path: readonly string[]): boolean {
  if (selection.kind !== 'FragmentSpread') return true;
  const place = JSON.stringify([selection.name.value, path]);
  const wasThere = spread.has(place);
  spread.add(place);
  return !wasThere;
}

function walkField(walk: Walk, type: GraphQLNamedType, node: FieldNode, path: readonly string[]): void {
  const name = node.name.value;
  const own = [...path, (node.alias ?? node.name).value];
  addName(walk, own);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  const fieldType = getNullableType(field?.type);
  const named = getNamedType(fieldType);
  if (named === undefined || !isCompositeType(named) || node.selectionSet === undefined) {
    walk.columns.set(JSON.stringify(own), { name: own.join('.'), path: own });
    return;
  }
  if (isListType(fieldType)) addList(walk.lists, own);
  if (ROWS.includes(name)) walk.pages.push(own);
  if (name === 'asOf' && path.length === 0) walk.blocks.push(node);
  if (name === 'pageInfo') walk.walked.push(path);
  const kind = isListType(fieldType) ? 'groups' : 'connection';
  if (takesPages(field, named, ENDS[kind])) {
    if (PAGE_ARGUMENTS.some((argument) => walk.readArgument(node, argument) !== undefined))
      walk.walked.push(own);
    else walk.paged.push({ kind, path: own });
  }
  walkSelection(walk, named, node.selectionSet, own);
}

/** Throws INVALID_ARGUMENT where the names are too long together, before any of them is put together. */
function addName(walk: Walk, path: readonly string[]): void {
  for (const name of path) walk.characters += name.length;
  if (walk.characters > MOST_CHARACTERS)
    throw badRequest(
      'query',
      `The columns of the table have too long names: with the way to each field they have more than ${MOST_CHARACTERS} characters together. Select fewer fields, or by shorter aliases, or ask for JSON.`,
    );
}

/** The fields that have the rows of a connection's page. */
const ROWS: readonly string[] = ['edges', 'nodes'];

/** The fields that say how the pages of each kind go on. */
const ENDS: Readonly<Record<PagedField['kind'], readonly string[]>> = {
  groups: ['cursor', 'hasNextPage'],
  connection: ['pageInfo'],
};

type Field = GraphQLField<unknown, unknown>;

function takesPages(field: Field | undefined, type: GraphQLNamedType, ends: readonly string[]): boolean {
  const takes = (argument: string) => field?.args.some(({ name }) => name === argument);
  return (
    takes('first') === true &&
    takes('after') === true &&
    isObjectType(type) &&
    ends.every((name) => name in type.getFields())
  );
}

const PAGE_ARGUMENTS: readonly string[] = ['first', 'after', 'last', 'before'];

function fragmentOf({ document }: Operation, name: string) {
  const found = document.definitions.find(
    (one) => one.kind === 'FragmentDefinition' && one.name.value === name,
  );
  return found as Extract<typeof found, { readonly kind: 'FragmentDefinition' }>;
}

/** Throws INVALID_ARGUMENT for a list that is not within the last, as soon as it is found: a walk through all can take long. */
function addList(lists: (readonly string[])[], path: readonly string[]): void {
  const last = lists.at(-1) ?? [];
  if (lists.some((one) => isSame(one, path))) return;
  if (!isWithin(path, last))
    throw badRequest(
      'query',
      `The query selects two lists, ${last.join('.')} and ${path.join('.')}: a table has the rows of one, or of a list within it.`,
    );
  lists.push(path);
}

/** What stands in a row is named from there on, what stands around it by its whole path, and so is what would be called as that. */
function nameIn(list: readonly string[], { path, name }: Column, around: ReadonlySet<string>): string {
  const own = isWithin(path, list) ? path.slice(list.length).join('.') : name;
  return around.has(own) ? name : own;
}

function isWithin(path: readonly string[], around: readonly string[]): boolean {
  return path.length > around.length && around.every((name, n) => path[n] === name);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, n) => other[n] === name);
}
