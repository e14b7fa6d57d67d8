import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { exposedColumn } from '../../graphql/exposed-columns.ts';
import { type CompileField, NotInText, type Placed } from './plan.ts';
import type { FieldNodes } from './selections.ts';
import { writeLeaf } from './values.ts';

type WriteJson = (value: unknown) => string;

/** A field of an object within JSON. */
interface ObjectField extends Placed {
  readonly write: (object: Readonly<Record<string, unknown>>) => string;
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
  if (isLeafType(named)) return eachOf((value) => writeLeaf(named, value));
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
  return eachOf((value) => writeObject(fields, value as Readonly<Record<string, unknown>>));
}

/** A value, or a list of them. */
function eachOf(write: WriteJson): WriteJson {
  const writeAny: WriteJson = (value) => {
    if (value === null || value === undefined) return 'null';
    return Array.isArray(value) ? `[${value.map(writeAny).join(',')}]` : write(value);
  };
  return writeAny;
}

function writeObject(fields: readonly ObjectField[], object: Readonly<Record<string, unknown>>): string {
  let text = '{';
  for (const { before, write } of fields) text += before + write(object);
  return `${text}}`;
}
