import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { TimeSlice } from '../time-slice.ts';

/** Fewer objects than these are completed in less than a turn may take. */
const FEW_OBJECTS = 100;

/** Has graphql-js complete long lists of objects in slices of time, so that others have their turns between. */
export function divideLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (isListOfObjects(field.type)) divide(field);
  }
  return schema;
}

function divide(field: GraphQLField<unknown, unknown>): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (...given) => {
    const value = resolve(...given);
    return value instanceof Promise ? value.then(giveInSlices) : giveInSlices(value);
  };
}

/** The objects of a long list, each as a promise: what becomes of one is completed before the next is there. */
function giveInSlices(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= FEW_OBJECTS) return value;
  const giving: ((object: unknown) => void)[] = [];
  const given = value.map(() => new Promise((give) => giving.push(give)));
  void giveEach(value, giving);
  return given;
}

async function giveEach(objects: readonly unknown[], giving: readonly ((object: unknown) => void)[]) {
  const slice = new TimeSlice();
  for (const [index, give] of giving.entries()) {
    give(objects[index]);
    await undefined;
    if (slice.isOver()) await slice.next();
  }
}

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && !isLeafType(getNamedType(type));
}
