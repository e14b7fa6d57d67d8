import type { IncomingMessage } from 'node:http';
import { isObject } from '../domain/objects.ts';
import { badRequest } from '../engine/client-errors.ts';
import { quoted } from '../errors.ts';
import { HttpError } from '../http/write/error-body.ts';

/** What asks for an operation, as GraphQL over HTTP has it. */
export interface OperationParams {
  /** Empty where `extensions` name it. */
  readonly query: string;
  readonly variables: Record<string, unknown> | null;
  readonly operationName: string | null;
  readonly extensions: Record<string, unknown> | null;
}

/** Whether a request says that its body is JSON. */
export function isJsonBody({ headers }: IncomingMessage): boolean {
  return /^application\/json *(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** Reads the JSON of a request's body. Throws what a client can do about one that is none. */
export function readJsonBody(request: IncomingMessage & { readonly body?: unknown }): unknown {
  if (!isJsonBody(request))
    throw new HttpError(415, 'An operation is sent as JSON, with Content-Type: application/json.');
  const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('body', `The body is no JSON: ${quoted(text)}.`);
  }
}

/** Reads the parameters of one operation; names what cannot be taken. */
export function readOperationParams(given: unknown): OperationParams {
  if (!isObject(given)) throw badRequest('body', `An operation is a JSON object, not ${show(given)}.`);
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

function show(value: unknown): string {
  return quoted(JSON.stringify(value));
}
