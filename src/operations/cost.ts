import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { SNAPSHOT_PAGE } from '../feed/stream.ts';
import { type ArgumentReader, createArgumentReader, readPageSize } from './arguments.ts';

/** What an operation can ask for, were every page full. */
export interface OperationCost {
  /** The sum of `COST_OF`, lists below lists multiplied. */
  readonly cost: number;
  /** Its `totalCount`s. Below a list they do not multiply: those of all its rows are one statement. */
  readonly counts: number;
}

/** What each thing in an answer costs, measured in the time that a plain field takes: about a microsecond. */
export const COST_OF = {
  field: 1,
  /** An edge, or an object within a row. */
  part: 2,
  /** A row of a page is read whether anything of it is selected or not. */
  row: 5,
  /** Global IDs are made asynchronously. */
  nodeId: 8,
  /** An object that another leads to. */
  object: 10,
  /** Each object of many asks for its own number. */
  totalCount: 10,
  /** A list, besides its rows, for the same reason. */
  list: 40,
  /** One of `nodes`. */
  node: 100,
} as const;

/** Lists within a row, as of price bounds, fee shares or tags, have a handful of elements; nothing bounds them. */
const LIST_IN_ROW = 5;
/** What the lists of introspection have at most, or nearly. */
const INTROSPECTED: Readonly<Record<string, number>> = { fields: 40, args: 5 };
const OTHERS_INTROSPECTED = 20;

/** Counts without reading anything: sizes stand in the document, its variables and their defaults. */
export function costOf({ schema, document, operationName, variableValues }: ExecutionArgs): OperationCost {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return NOTHING;
  const read: ArgumentReader = createArgumentReader(operation, variableValues ?? {});
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const counted = new Map<string, OperationCost>();

  /** What is selected of one object of a type; `page` is how many rows it has, where it is a connection. */
  function ofSelections(type: GraphQLCompositeType, of: SelectionSetNode, page: number): OperationCost {
    let sum = NOTHING;
    for (const selection of of.selections) {
      if (selection.kind === Kind.FIELD) sum = add(sum, ofField(type, selection, page));
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        sum = add(sum, ofFragment(selection.name.value, page));
      else {
        const narrowed = typeNamed(selection.typeCondition?.name.value) ?? type;
        sum = add(sum, ofSelections(narrowed, selection.selectionSet, page));
      }
    }
    return sum;
  }

  /** Each fragment is counted once, however often it is spread: fragments can multiply as well. */
  function ofFragment(name: string, page: number): OperationCost {
    const key = `${name} ${page}`;
    const known = counted.get(key);
    const fragment = fragments.get(name);
    const type = typeNamed(fragment?.typeCondition.name.value);
    if (known !== undefined || fragment === undefined || type === undefined) return known ?? NOTHING;
    const sum = ofSelections(type, fragment.selectionSet, page);
    counted.set(key, sum);
    return sum;
  }

  function ofField(parent: GraphQLCompositeType, node: FieldNode, page: number): OperationCost {
    const name = node.name.value;
    const field = META_FIELDS.get(name) ?? ('getFields' in parent ? parent.getFields()[name] : undefined);
    const type = field && getNamedType(field.type);
    // What is no field of the type is __typename.
    if (field === undefined || !isCompositeType(type) || node.selectionSet === undefined) {
      const counts = name === 'totalCount' ? 1 : 0;
      const cost = name === 'totalCount' || name === 'nodeId' ? COST_OF[name] : COST_OF.field;
      return { cost: cost * lengthOf(parent, field, node), counts };
    }
    if (type.name.endsWith('Connection')) {
      const size = readPageSize(read, node);
      return plus(COST_OF.list + size * COST_OF.row, ofSelections(type, node.selectionSet, size));
    }
    const below = ofSelections(type, node.selectionSet, 0);
    if (type.name.endsWith('Edge')) return multiply(page, plus(COST_OF.part, below));
    // An edge stands for its row, which its page has counted.
    if (parent.name.endsWith('Edge')) return below;
    return multiply(lengthOf(parent, field, node), plus(costOfObject(parent, type, field), below));
  }

  function costOfObject(parent: GraphQLCompositeType, type: GraphQLCompositeType, field: Field): number {
    if (isIntrospective(type)) return 0;
    if (field.name === 'nodes') return COST_OF.node;
    // Rows of messages have been read, and are shared by all that follow them.
    if (isOfMessage(parent)) return COST_OF.row;
    // What hangs off a node is read for it, unless it is a list of the row's own.
    return isNode(type) || (isNode(parent) && !isList(field)) ? COST_OF.object : COST_OF.part;
  }

  /** How many values a field has: 1 unless it is a list. */
  function lengthOf(parent: GraphQLCompositeType, field: Field | undefined, node: FieldNode): number {
    if (field === undefined || !isList(field)) return 1;
    if (parent.name === '__Schema') return Object.keys(schema.getTypeMap()).length;
    if (isIntrospective(parent)) return INTROSPECTED[field.name] ?? OTHERS_INTROSPECTED;
    // A block can change more rows than a page of the snapshot has, but seldom does.
    if (isOfMessage(parent)) return SNAPSHOT_PAGE;
    if (field.name !== 'nodes') return LIST_IN_ROW;
    const nodeIds = read(node, 'nodeIds');
    return Array.isArray(nodeIds) ? nodeIds.length : 1;
  }

  function typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  return ofSelections(root, operation.selectionSet, 0);
}

type Field = GraphQLField<unknown, unknown>;

/** They stand in no type's fields. */
const META_FIELDS: ReadonlyMap<string, Field> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

function isList({ type }: Field): boolean {
  return isListType(getNullableType(type));
}

function isIntrospective({ name }: GraphQLCompositeType): boolean {
  return name.startsWith('__');
}

/** Whether it is what holds the rows of a subscription's message. */
function isOfMessage({ name }: GraphQLCompositeType): boolean {
  return name.endsWith('Snapshot') || name.endsWith('Updates');
}

function isNode(type: GraphQLCompositeType): boolean {
  return type.name === 'Node' || (isObjectType(type) && type.getInterfaces().length > 0);
}

const NOTHING: OperationCost = { cost: 0, counts: 0 };

function add(one: OperationCost, other: OperationCost): OperationCost {
  return { cost: one.cost + other.cost, counts: one.counts + other.counts };
}

function plus(cost: number, below: OperationCost): OperationCost {
  return { cost: cost + below.cost, counts: below.counts };
}

function multiply(times: number, { cost, counts }: OperationCost): OperationCost {
  return { cost: times * cost, counts };
}
