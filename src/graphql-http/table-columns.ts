import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { badRequest } from '../engine/client-errors.ts';
import type { Operation } from '../engine/question.ts';
import type { Column } from '../http/write/csv.ts';

/** What a selection comes to as a table. */
export interface TableForm {
  /** Every value of a row, by where it stands in the answer, lists left out. */
  readonly columns: readonly Column[];
  /** Where the lists are, one within the other, each by the way from the one around it. */
  readonly lists: readonly (readonly string[])[];
}

/** Where the walk through a selection is. */
interface Walk {
  readonly schema: GraphQLSchema;
  readonly operation: Operation;
  readonly columns: Column[];
  /** The paths of lists, each beginning at the root. */
  readonly lists: (readonly string[])[];
}

/**
 * Finds how a query's answer is a table: its rows are those of the one list that it selects, or of the list within each of these, and
 * what stands around a list is told in each of its rows. Throws INVALID_ARGUMENT for a query that has no list, or several.
 */
export function tableForm(schema: GraphQLSchema, operation: Operation): TableForm {
  const { node } = operation;
  const walk: Walk = { schema, operation, columns: [], lists: [] };
  walkSelection(walk, schema.getQueryType() as GraphQLNamedType, node.selectionSet, []);
  const [outer, ...inner] = walk.lists;
  if (outer === undefined)
    throw badRequest('query', 'The query selects no list: a table has the rows of one. Ask for JSON.');
  let around = outer;
  const lists = [outer];
  for (const path of inner) {
    if (!isWithin(path, around))
      throw badRequest(
        'query',
        `The query selects two lists, ${around.join('.')} and ${path.join('.')}: a table has the rows of one, or of a list within it.`,
      );
    lists.push(path.slice(around.length));
    around = path;
  }
  return { columns: walk.columns.map((column) => ({ ...column, name: nameIn(outer, column) })), lists };
}

function walkSelection(
  walk: Walk,
  type: GraphQLNamedType,
  { selections }: SelectionSetNode,
  path: readonly string[],
): void {
  const { schema, operation } = walk;
  for (const selection of selections) {
    if (selection.kind === 'Field') walkField(walk, type, selection, path);
    else {
      const fragment =
        selection.kind === 'InlineFragment' ? selection : fragmentOf(operation, selection.name.value);
      const { typeCondition, selectionSet } = fragment;
      const own = typeCondition === undefined ? type : typeFromAST(schema, typeCondition);
      walkSelection(walk, own as GraphQLNamedType, selectionSet, path);
    }
  }
}

function walkField(walk: Walk, type: GraphQLNamedType, node: FieldNode, path: readonly string[]): void {
  const name = node.name.value;
  const own = [...path, (node.alias ?? node.name).value];
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  const fieldType = getNullableType(field?.type);
  const named = getNamedType(fieldType);
  if (named === undefined || !isCompositeType(named) || node.selectionSet === undefined) {
    addOnce(walk.columns, { name: own.join('.'), path: own });
    return;
  }
  if (isListType(fieldType) && !walk.lists.some((one) => isSame(one, own))) walk.lists.push(own);
  walkSelection(walk, named, node.selectionSet, own);
}

function fragmentOf({ document }: Operation, name: string) {
  const found = document.definitions.find(
    (one) => one.kind === 'FragmentDefinition' && one.name.value === name,
  );
  return found as Extract<typeof found, { readonly kind: 'FragmentDefinition' }>;
}

/** A field may be selected twice. */
function addOnce(columns: Column[], column: Column): void {
  if (!columns.some(({ path }) => isSame(path, column.path))) columns.push(column);
}

/** What stands in a row is named from there on, what stands around it by its whole path. */
function nameIn(list: readonly string[], { path }: Column): string {
  return (isWithin(path, list) ? path.slice(list.length) : path).join('.');
}

function isWithin(path: readonly string[], around: readonly string[]): boolean {
  return path.length > around.length && around.every((name, n) => path[n] === name);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, n) => other[n] === name);
}
