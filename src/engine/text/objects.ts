import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { exposedColumn } from '../../graphql/exposed-columns.ts';
import { type CompileField, NotInText, type Placed } from './plan.ts';
import type { FieldNodes } from './selections.ts';
import { leafWriter } from './values.ts';

type WriteJson = (value: unknown) => string;
type ObjectOfJson = Readonly<Record<string, unknown>>;

/** A field of an object within JSON. */
interface ObjectField extends Placed {
  readonly write: (object: ObjectOfJson) => string;
}

type CompileObject = (
  type: GraphQLObjectType,
  nodes: FieldNodes,
  compile: CompileField<ObjectField>,
) => readonly ObjectField[];

/** Compiles objects that are there: of them what is selected is written, and no more. */
export function compileObjects(
  type: GraphQLOutputType,
  nodes: FieldNodes,
  compileObject: CompileObject,
): WriteJson {
  const named = getNamedType(type);
  if (isLeafType(named)) return inLists(type, leafWriter(named));
  if (!isObjectType(named)) throw new NotInText(named.name);
  const fields = compileObject(named, nodes, {
    typename: (text) => ({ write: () => text }),
    field: ({ definition, nodes: below }) => {
      const part = exposedColumn(definition);
      if (part === undefined) throw new NotInText(definition.name);
      const write = compileObjects(definition.type, below, compileObject);
      return { write: (object) => write(object[part]) };
    },
  });
  return inLists(type, (value) => writeObject(fields, value as ObjectOfJson | null | undefined));
}

/** What writes a value of a type, made of what writes one that is no list. */
function inLists(type: GraphQLOutputType, write: WriteJson): WriteJson {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) return write;
  const writeItem = inLists(nullable.ofType, write);
  return (value) =>
    value === null || value === undefined
      ? 'null'
      : `[${(value as readonly unknown[]).map(writeItem).join(',')}]`;
}

function writeObject(fields: readonly ObjectField[], object: ObjectOfJson | null | undefined): string {
  if (object === null || object === undefined) return 'null';
  let text = '{';
  for (const { before, write } of fields) text += before + write(object);
  return `${text}}`;
}
