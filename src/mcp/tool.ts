import type { VariablesOf } from 'gql.tada';
import type { DocumentNode } from 'graphql';
import { MAX_ID_LENGTH } from '../domain/ids.ts';

/** A value that a tool takes, as JSON Schema has it. */
export interface ArgumentSchema {
  readonly type: 'string' | 'integer' | 'array';
  readonly description: string;
  readonly [keyword: string]: unknown;
}

/** What one of the tools is told by a program that asks for a model: names and values, which its schema lets through. */
export type Given = Readonly<Record<string, unknown>>;

/** A question that programs of models may ask: an operation of ours, with what they may say of it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For models: what it answers, and in what units. */
  readonly description: string;
  readonly arguments: Readonly<Record<string, ArgumentSchema>>;
  readonly required: readonly string[];
  readonly operation: DocumentNode;
  readonly variables: (given: Given) => Given;
  /** What there is none of where this field of the answer is null, and by which argument it was asked for. */
  readonly missing?: { readonly field: string; readonly noun: string; readonly argument: string };
}

/** Declares a tool whose arguments are the variables of its operation, by the same names. */
export function tool<Operation extends DocumentNode>(
  declaration: Omit<Tool, 'variables' | 'arguments' | 'required'> & {
    readonly operation: Operation;
    readonly arguments: { readonly [Name in keyof VariablesOf<Operation>]-?: ArgumentSchema };
    readonly required?: readonly (keyof VariablesOf<Operation> & string)[];
  },
): Tool {
  return {
    ...{ required: [], ...declaration },
    arguments: { ...(declaration.arguments as Tool['arguments']), [AS_OF]: height },
    variables: ({ [AS_OF]: _, ...variables }) => variables,
  };
}

/** The argument that every tool takes: the block as of which it answers. */
export const AS_OF = 'height';

const height: ArgumentSchema = {
  type: 'string',
  pattern: '^\\d{1,19}$',
  description:
    'The height of the block as of which all of the answer is, as digits; the newest block without it.',
};

/** What a text may hold: no NUL, which none in the database can, and half a character neither. */
const WHOLE_TEXT = '^[^\\u0000\\ud800-\\udfff]*$';

export function text(description: string): ArgumentSchema {
  return { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH, pattern: WHOLE_TEXT, description };
}

export function texts(description: string): ArgumentSchema {
  const items = { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH, pattern: WHOLE_TEXT };
  return { type: 'array', items, maxItems: 20, description };
}

export function decimal(pattern: string, description: string): ArgumentSchema {
  return { type: 'string', maxLength: 60, pattern, description };
}

export function count(most: number, what: string): ArgumentSchema {
  return {
    type: 'integer',
    minimum: 1,
    maximum: most,
    description: `How many ${what} at most, 1 to ${most}.`,
  };
}

/** How a list goes on. */
export const after = text(
  'The endCursor of the answer before, to go on behind it; with the same other arguments, and with height only if that answer was asked with it.',
);
