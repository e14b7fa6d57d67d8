import { Kind, TokenKind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { shorten } from '../domain/text.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import { SCALAR_FORMS, type ScalarForm, type ScalarName, scalarAddress } from './scalar-forms.ts';

for (const [name, form] of Object.entries(SCALAR_FORMS) as [ScalarName, ScalarForm<never>][])
  builder.scalarType(name, textScalar(name, form));

/** A scalar that travels as text. It takes numbers too, as far as they are exact: literals are, whatever their size. */
function textScalar<Value>(type: ScalarName, { description, accepts, read, write }: ScalarForm<Value>) {
  const parse = (field: string, given: unknown): Value => {
    const text = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value !== undefined) return value;
    const shown = typeof given === 'string' ? quoted(given) : shorten(String(JSON.stringify(given)));
    throw invalidArgument(field, `${field} takes ${accepts}, not ${shown}.`);
  };
  return {
    description,
    specifiedByURL: scalarAddress(type),
    serialize: (value: unknown) => write?.(value as number) ?? String(value),
    parseValue: (given: unknown) => parse(type, given),
    parseLiteral: (node: ValueNode) => {
      const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
      return parse(argumentOf(node) ?? type, isNumber ? node.value : valueFromASTUntyped(node));
    },
  };
}

/** The name of the argument that a literal is given to. GraphQL gives scalars only the value. */
function argumentOf({ loc }: ValueNode): string | undefined {
  const colon = loc?.startToken.prev;
  return colon?.kind === TokenKind.COLON ? colon.prev?.value : undefined;
}
