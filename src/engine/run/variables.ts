import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputType,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import { schema } from '../../graphql/index.ts';
import { MOST_ERRORS } from '../price/reading.ts';

type Values = Readonly<Record<string, unknown>>;

/** Gives the values of an operation's variables as its types have them; null where one is refused. */
export type ReadVariables = (given: Values) => Values | null;

interface Variable {
  readonly name: string;
  /** Throws where a value is none of its type. */
  readonly coerce: (value: unknown) => unknown;
  readonly isRequired: boolean;
  /** Undefined where it has none. */
  readonly fallback: unknown;
}

/** Says what is wrong with the first of the values that cannot be taken, as graphql-js does; undefined where nothing is. */
export function findWrongVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Values,
): readonly GraphQLError[] | undefined {
  return getVariableValues(schema, variableDefinitions, given, { maxErrors: MOST_ERRORS }).errors;
}

/** Lets go of what was given besides an operation's variables, whoever holds it for as long as a stream is open. */
export function dropUndeclared(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Record<string, unknown>,
): void {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  for (const name of Object.keys(given)) if (!declared.has(name)) Reflect.deleteProperty(given, name);
}

/** Does what graphql-js does, which looks up the types of all variables anew at every request. */
export function createVariableReader(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadVariables {
  const variables: Variable[] = [];
  for (const { variable, type: named, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, named);
    // One of this name would be set as what the object inherits from.
    if (!isInputType(type) || variable.name.value === '__proto__')
      return (given) => getVariableValues(schema, variableDefinitions, given).coerced ?? null;
    const fallback = defaultValue && valueFromAST(defaultValue, type);
    variables.push({
      name: variable.name.value,
      coerce: coercerOf(type),
      isRequired: isNonNullType(type),
      fallback,
    });
  }
  return (given) => {
    const values: Record<string, unknown> = {};
    try {
      for (const { name, coerce, isRequired, fallback } of variables) {
        if (Object.hasOwn(given, name)) values[name] = coerce(given[name]);
        else if (fallback !== undefined) values[name] = fallback;
        else if (isRequired) return null;
      }
    } catch {
      return null;
    }
    return values;
  };
}

function coercerOf(type: GraphQLInputType): Variable['coerce'] {
  const nullable = getNullableType(type);
  if (!isLeafType(nullable)) return (value) => coerceInputValue(value, type);
  const isNullable = nullable === type;
  return (value) => {
    if (value !== null && value !== undefined) {
      const parsed = nullable.parseValue(value);
      if (parsed !== undefined) return parsed;
    } else if (isNullable) return null;
    throw new TypeError('the value is none of the type');
  };
}
