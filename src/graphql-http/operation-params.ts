import { isObject } from '../domain/objects.ts';
import { badRequest } from '../engine/client-errors.ts';
import { quoted } from '../errors.ts';

/** What asks for an operation, as GraphQL over HTTP has it. */
export interface OperationParams {
  /** Empty where `extensions` name it. */
  readonly query: string;
  readonly variables: Record<string, unknown> | null;
  readonly operationName: string | null;
  readonly extensions: Record<string, unknown> | null;
}

/** Reads the JSON of a body. Throws what a client can do about one that is none. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('body', `The body is no JSON: ${quoted(text)}.`);
  }
}

/** Reads the parameters of one operation; names what cannot be taken. */
export function readOperationParams(given: unknown): OperationParams {
  if (!isObject(given)) throw badRequest('body', `An operation is a JSON object, not ${show(given)}.`);
  for (const name of Object.keys(given))
    if (!PARAMETERS.has(name) && given[name] !== null)
      throw badRequest(
        name,
        `${quoted(name)} is no parameter of an operation: these are ${[...PARAMETERS].join(', ')}.`,
      );
  const { query = '', variables = null, operationName = null, extensions = null } = given;
  if (typeof query !== 'string') throw badRequest('query', `query takes a string, not ${show(query)}.`);
  if (operationName !== null && typeof operationName !== 'string')
    throw badRequest('operationName', `operationName takes a string, not ${show(operationName)}.`);
  if (variables !== null && !isObject(variables))
    throw badRequest('variables', `variables takes a JSON object, not ${show(variables)}.`);
  if (extensions !== null && !isObject(extensions))
    throw badRequest('extensions', `extensions takes a JSON object, not ${show(extensions)}.`);
  if (query === '' && !isObject(extensions?.['persistedQuery']))
    throw badRequest('query', 'query is missing: the text of an operation, or extensions.persistedQuery.');
  return { query, variables, operationName, extensions };
}

const PARAMETERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

function show(value: unknown): string {
  return quoted(JSON.stringify(value));
}
