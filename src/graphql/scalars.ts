import {
  GraphQLID,
  Kind,
  locatedError,
  type Token,
  TokenKind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { canonicalId } from '../domain/ids.ts';
import { shorten } from '../domain/text.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import { SCALAR_FORMS, type ScalarForm, type ScalarName, scalarAddress } from './scalar-forms.ts';

for (const [name, form] of Object.entries(SCALAR_FORMS) as [ScalarName, ScalarForm<never>][])
  builder.scalarType(name, textScalar(name, form));

// An id is asked for as it is kept, as in REST. Pothos has room for graphql-js's own ID alone, so that is the one that reads it.
const { parseValue, parseLiteral } = GraphQLID;
GraphQLID.parseValue = (given) => canonicalId(parseValue(given));
GraphQLID.parseLiteral = (node, variables) => canonicalId(parseLiteral(node, variables));

/** A scalar that travels as text. It takes numbers too, as far as they are exact: literals are, whatever their size. */
function textScalar<Value>(type: ScalarName, { description, accepts, read, write }: ScalarForm<Value>) {
  const parse = (given: unknown, literal?: ValueNode): Value => {
    const text = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value !== undefined) return value;
    const field = (literal && argumentOf(literal)) ?? type;
    const shown = typeof given === 'string' ? quoted(given) : shorten(String(JSON.stringify(given)));
    throw invalidArgument(field, `${field} takes ${accepts}, not ${shown}.`);
  };
  return {
    description,
    specifiedByURL: scalarAddress(type),
    serialize: (value: unknown) => write?.(value as number) ?? String(value),
    parseValue: (given: unknown) => parse(given),
    parseLiteral: (node: ValueNode) => {
      const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
      try {
        return parse(isNumber ? node.value : valueFromASTUntyped(node), node);
      } catch (error) {
        throw locatedError(error, node);
      }
    },
  };
}

/**
 * The name of the argument that a literal, or the list that it is in, is given to; undefined for the default of a variable.
 * GraphQL gives scalars only the value.
 */
function argumentOf(node: ValueNode): string | undefined {
  let token = (node.loc?.startToken ?? starts.get(node))?.prev;
  while (token && token.kind !== TokenKind.COLON && token.kind !== TokenKind.EQUALS) token = token.prev;
  return token?.kind === TokenKind.COLON ? token.prev?.value : undefined;
}

const starts = new WeakMap<ValueNode, Token>();

/** Remembers where a literal begins whose place in its document is dropped. */
export function noteStart(node: ValueNode): void {
  if (node.loc !== undefined) starts.set(node, node.loc.startToken);
}
