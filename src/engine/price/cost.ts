import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
} from 'graphql';
import {
  type Argument,
  COST_OF,
  type Cost,
  declaredCost,
  OPERATION_LIMITS,
  type Told,
} from '../../graphql/costs.ts';
import { fragmentsOf } from '../text/selections.ts';
import { createArgumentReader, isLeftOut } from './argument-reader.ts';
import { createGiven, type Given, isSame, Seen, type SeenBefore } from './given.ts';
import { introspectionCost } from './introspection-cost.ts';
import { costOfLists } from './lists.ts';
import { countPlaces } from './places.ts';

/** What an operation can ask for, were every page full. */
export interface OperationCost {
  /** The sum of what its fields declare, lists below lists multiplied. */
  readonly cost: number;
  /** How many whole lists it counts. Below a list they do not multiply: those of all its rows are one statement. */
  readonly counts: number;
  /** How much of the cost is of the schema itself. */
  readonly introspection: number;
  /** In how many places it selects a field, each spread of a fragment counted: all are prepared, whatever is read there. */
  readonly places: number;
}

/** Lists within a row, as of price bounds, fee shares or tags, have a handful of elements; nothing bounds them. */
const LIST_IN_ROW = 5;

/**
 * Adds up what the schema declares, without reading anything: sizes stand in the document or its variables. Our own:
 * the libraries for it count a fragment again at each of its spreads, so that a short document can keep them busy for
 * long, and they have one number, where counts of whole lists have a limit besides. What an operation came to with the
 * same sizes is remembered as long as its document is; of what is not, `onAddedUp` is told how many fields were looked at.
 */
export function costOf(
  { schema, document, operationName, variableValues: variables }: ExecutionArgs,
  onAddedUp?: (fields: number) => void,
): OperationCost {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return { cost: 0, counts: 0, introspection: 0, places: 0 };
  const known = priced.get(operation) ?? [];
  const given = createGiven(operation, variables);
  for (const one of known) if (one.schema === schema && isSame(one.seen, given)) return one.cost;
  const seen = new Seen(given);
  const asked = { schema, fragments: fragmentsOf(document), operation, given: seen };
  const { selections } = operation.selectionSet;
  const places = countPlaces(asked, selections);
  // So many are refused whatever they cost: each field of the document is looked at for that, and not again for each size.
  const looked =
    places > OPERATION_LIMITS.places ? { fields: 0, most: OPERATION_LIMITS.tokens } : lookAtAll();
  const whole = addUp({ ...asked, looked }, root, selections);
  onAddedUp?.(looked.fields);
  const { cost: sum, counts, introspection } = looked.fields > looked.most ? NOTHING : whole;
  const cost = { cost: sum, counts, introspection, places };
  if (seen.isSmall)
    priced.set(operation, [{ schema, seen: seen.kept(), cost }, ...known.slice(0, MOST_SIZES - 1)]);
  return cost;
}

/** What an operation costs where what is looked at of the variables is the same. */
interface Priced {
  readonly schema: GraphQLSchema;
  readonly seen: SeenBefore;
  readonly cost: OperationCost;
}

const priced = new WeakMap<OperationDefinitionNode, readonly Priced[]>();
/** How many sizes of one operation are remembered: clients ask for few. */
const MOST_SIZES = 8;

/** What is added up. */
interface Asked {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly operation: OperationDefinitionNode;
  readonly given: Given;
  readonly told?: Told['lengths'] | undefined;
  /** Of a message of a stream, whose own lists are looked into for pages of its snapshot alone. */
  readonly isMessage?: true;
  /** How many fields were looked at, and of how many no more are. */
  readonly looked?: Looked;
}

interface Looked {
  fields: number;
  readonly most: number;
}

function lookAtAll(): Looked {
  return { fields: 0, most: Number.POSITIVE_INFINITY };
}

interface Sum extends Omit<OperationCost, 'places'> {
  /** For how many of the fields the filter is looked into of the list that they are of, besides for its page. */
  readonly looks: number;
  /** Whether one of the fields shows the page that they are of. */
  readonly showsPage: boolean;
}

function addUp(
  { schema, fragments, operation, given, told, isMessage, looked = lookAtAll() }: Asked,
  root: GraphQLCompositeType,
  asked: readonly SelectionNode[],
): Sum {
  const readArgument = createArgumentReader(operation, given.size);
  const counted = new Map<string, Sum>();

  return ofSelections(root, asked, 0);

  /** What is selected of one object of a type; `rows` is how many rows it has, where it is a page. */
  function ofSelections(type: GraphQLCompositeType, selections: readonly SelectionNode[], rows: number): Sum {
    let sum = NOTHING;
    for (const selection of selections) {
      if (looked.fields > looked.most) break;
      if (isLeftOut(selection, readArgument)) continue;
      if (selection.kind === Kind.FIELD) sum = add(sum, ofField(type, selection, rows));
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        sum = add(sum, ofFragment(selection.name.value, rows));
      else {
        const narrowed = typeNamed(selection.typeCondition?.name.value) ?? type;
        sum = add(sum, ofSelections(narrowed, selection.selectionSet.selections, rows));
      }
    }
    return sum;
  }

  /** Each fragment is counted once for each size of page, however often it is spread: fragments can multiply too. */
  function ofFragment(name: string, rows: number): Sum {
    const key = `${name} ${rows}`;
    const known = counted.get(key);
    const fragment = fragments[name];
    const type = typeNamed(fragment?.typeCondition.name.value);
    if (known !== undefined || fragment === undefined || type === undefined) return known ?? NOTHING;
    const sum = ofSelections(type, fragment.selectionSet.selections, rows);
    counted.set(key, sum);
    return sum;
  }

  function ofField(parent: GraphQLCompositeType, node: FieldNode, rows: number): Sum {
    looked.fields += 1;
    const field = fieldNamed(parent, node.name.value);
    if (field === undefined) return PLAIN_FIELD;
    const type = getNamedType(field.type);
    const ofSchema = introspectionCost(schema, parent, field);
    const declared = ofSchema ?? costOfField(field);
    const { each, values, page, counts = 0 } = declared;
    const argument: Argument = (name) => readArgument(node, name);
    const rowsBelow = page?.rows(argument) ?? (declared.hasPageRows ? rows : 0);
    const below =
      isCompositeType(type) && node.selectionSet
        ? ofSelections(type, node.selectionSet.selections, rowsBelow)
        : NOTHING;
    const rowsRead = page?.isReadIfShown && !below.showsPage ? 0 : rowsBelow;
    const own = { ...NOTHING, cost: each + rowsRead * (page?.row ?? 0), counts };
    const length = (declared.isTold && told?.get(field.name)) ?? lengthOf(field, values, argument, rows);
    // Lists are looked into once, however many values the field has by them.
    const isUpdate = isMessage && parent === root && told?.get('snapshot') !== 1;
    const lists = isUpdate ? 0 : (1 + below.looks) * costOfLists(node, given.lists);
    const { cost, ...all } = multiply(length, add(own, below));
    const { looksIntoFilter = false, showsPage = false } = declared;
    const sum = { ...all, cost: cost + lists, looks: looksIntoFilter ? 1 : 0, showsPage };
    return ofSchema === undefined ? sum : { ...sum, introspection: sum.cost };
  }

  function typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

type Field = GraphQLField<unknown, unknown>;

/** What a field declares, or its type, or an interface of its type. */
function costOfField(field: Field): Cost {
  const type = getNamedType(field.type);
  const declaring = [field, type, ...('getInterfaces' in type ? type.getInterfaces() : [])];
  for (const one of declaring) {
    const cost = declaredCost(one);
    if (cost !== undefined) return cost;
  }
  return { each: isCompositeType(type) ? COST_OF.part : COST_OF.field };
}

/** How many values a field has. */
function lengthOf(field: Field, declared: Cost['values'], argument: Argument, rows: number): number {
  if (declared === 'rows') return rows;
  if (typeof declared === 'function') return declared(argument);
  return declared ?? (isListType(getNullableType(field.type)) ? LIST_IN_ROW : 1);
}

/** The field of a type; undefined for `__typename`, which every type has. */
function fieldNamed(type: GraphQLCompositeType, name: string): Field | undefined {
  return META_FIELDS.get(name) ?? ('getFields' in type ? type.getFields()[name] : undefined);
}

/** They stand in no type's fields. */
const META_FIELDS: ReadonlyMap<string, Field> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

const NOTHING: Sum = { cost: 0, counts: 0, introspection: 0, looks: 0, showsPage: false };
const PLAIN_FIELD: Sum = { ...NOTHING, cost: COST_OF.field };

function add(one: Sum, other: Sum): Sum {
  return {
    cost: one.cost + other.cost,
    counts: one.counts + other.counts,
    introspection: one.introspection + other.introspection,
    looks: one.looks + other.looks,
    showsPage: one.showsPage || other.showsPage,
  };
}

function multiply(times: number, { cost, introspection, ...sum }: Sum): Sum {
  return { ...sum, cost: times * cost, introspection: times * introspection };
}

/** Fields of an operation that is executed. */
export type ExecutedFields = Pick<
  GraphQLResolveInfo,
  'schema' | 'fragments' | 'operation' | 'variableValues' | 'parentType' | 'fieldNodes'
>;

/** What fields cost by themselves, and with what is told. */
export function costOfTold(
  { schema, fragments, operation, variableValues, parentType, fieldNodes }: ExecutedFields,
  { lengths }: Told,
): { readonly asked: number; readonly told: number } {
  const asked = { schema, fragments, operation, given: createGiven(operation, variableValues) };
  return {
    asked: addUp(asked, parentType, fieldNodes).cost,
    told: addUp({ ...asked, told: lengths }, parentType, fieldNodes).cost,
  };
}

/** What a subscription costs for an event with what it tells. */
export function costOfEvent(
  { schema, document, operationName, variableValues }: ExecutionArgs,
  told: Told,
): number {
  const operation = getOperationAST(document, operationName);
  const parentType = operation && schema.getRootType(operation.operation);
  if (!operation || !parentType) return 0;
  const given = createGiven(operation, variableValues);
  const asked = { schema, fragments: fragmentsOf(document), operation, given, told: told.lengths };
  return addUp({ ...asked, isMessage: true }, parentType, operation.selectionSet.selections).cost;
}
