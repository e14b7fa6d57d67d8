import { type GraphQLOutputType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { exposedColumn } from '../../graphql/sources.ts';
import { type CompileFields, type FieldNodes, NotInText } from './plan.ts';
import { writeLeaf } from './values.ts';

/** A field of an object within JSON. */
interface ObjectField {
  readonly before: string;
  readonly kind: 'constant' | 'part';
  readonly text?: string;
  readonly write?: (object: Readonly<Record<string, unknown>>) => string;
}

type WriteJson = (value: unknown) => string;

/** Compiles objects that are there: of them what is selected is written, and no more. */
export function compileObjects(
  type: GraphQLOutputType,
  of: FieldNodes,
  compileFields: CompileFields,
): WriteJson {
  return compileValue(type, of);

  function compileValue(type: GraphQLOutputType, nodes: FieldNodes): WriteJson {
    const named = getNamedType(type);
    if (isLeafType(named)) return eachOf((value) => writeLeaf(named, value));
    if (!isObjectType(named)) throw new NotInText(named.name);
    const fields = compileFields<ObjectField>(named, nodes, (definition, below) => {
      const part = exposedColumn(definition);
      if (part === undefined) throw new NotInText(definition.name);
      const write = compileValue(definition.type, below);
      return { kind: 'part', write: (object) => write(object[part]) };
    });
    return eachOf((value) => writeObject(fields, value as Readonly<Record<string, unknown>>));
  }
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
  return `{${fields.map(({ before, text, write }) => before + (write?.(object) ?? text)).join('')}}`;
}
