import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { TimeSlice } from '../time-slice.ts';

/** Fewer objects, of fewer fields together, are completed in less than a turn may take. */
const FEW_OBJECTS = 100;
const FEW_FIELDS = 3000;

/** Has graphql-js complete long lists of objects, and lists of wide ones, in slices of time, so that others have their turns between. */
export function divideLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (isListOfObjects(field.type)) divide(field);
  }
  return schema;
}

function divide(field: GraphQLField<unknown, unknown>): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const value = resolve(source, args, context, info);
    // What is written as text is asked for without, and graphql-js completes none of it.
    if ((info as GraphQLResolveInfo | undefined) === undefined) return value;
    return value instanceof Promise
      ? value.then((objects) => giveInSlices(objects, info))
      : giveInSlices(value, info);
  };
}

/** The objects of a list, each as a promise: what becomes of one is completed before the next is there. */
function giveInSlices(value: unknown, { fieldNodes, fragments }: GraphQLResolveInfo): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  let width = 0;
  for (const { selectionSet } of fieldNodes) width += widthOf(selectionSet, fragments);
  if (value.length <= FEW_OBJECTS && value.length * width <= FEW_FIELDS) return value;
  const giving: ((object: unknown) => void)[] = [];
  const given = value.map(() => new Promise((give) => giving.push(give)));
  void giveEach(value, width, giving);
  return given;
}

async function giveEach(
  objects: readonly unknown[],
  width: number,
  giving: readonly ((object: unknown) => void)[],
) {
  const slice = new TimeSlice();
  for (const [index, give] of giving.entries()) {
    give(objects[index]);
    await undefined;
    if (slice.isOver(width)) await slice.next();
  }
}

const widths = new WeakMap<SelectionSetNode, number>();

/** How many fields a selection has, with all below it. Each is walked through once: fragments can multiply, where they are left out too. */
function widthOf(selected: SelectionSetNode | undefined, fragments: GraphQLResolveInfo['fragments']): number {
  if (selected === undefined) return 0;
  const known = widths.get(selected);
  if (known !== undefined) return known;
  let width = 0;
  for (const selection of selected.selections) {
    const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
    const below = isSpread ? fragments[selection.name.value] : selection;
    width += widthOf(below?.selectionSet, fragments) + (selection.kind === Kind.FIELD ? 1 : 0);
  }
  widths.set(selected, width);
  return width;
}

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && !isLeafType(getNamedType(type));
}
