import { isObject } from '../../domain/objects.ts';

import { quoted } from '../../errors.ts';
import { badRequest } from '../client-errors.ts';
import { refuseValues } from './parameter-values.ts';

/** What asks for an operation, as GraphQL over HTTP has it. */
export interface OperationParams {
  /** Empty where `extensions` name it. */
  readonly query: string;
  readonly variables: Record<string, unknown> | null;
  readonly operationName: string | null;
  readonly extensions: Record<string, unknown> | null;
}

/** Reads the parameters of one operation; names what cannot be taken. */
export function readOperationParams(given: unknown): OperationParams {
  if (!isObject(given)) throw badRequest('body', `An operation is a JSON object, not ${show(given)}.`);
  refuseValues(given);
  for (const name of Object.keys(given))
    if (!PARAMETERS.has(name) && given[name] !== null)
      throw badRequest(
        name,
        `${quoted(name)} is no parameter of an operation: these are ${[...PARAMETERS].join(', ')}.`,
      );
  const { query: text, variables = null, operationName = null, extensions = null } = given;
  const query = text ?? '';
  if (typeof query !== 'string') throw badRequest('query', `query takes a string, not ${show(query)}.`);
  if (operationName !== null && typeof operationName !== 'string')
    throw badRequest('operationName', `operationName takes a string, not ${show(operationName)}.`);
  if (variables !== null && !isObject(variables))
    throw badRequest('variables', `variables takes a JSON object, not ${show(variables)}.`);
  if (extensions !== null && !isObject(extensions))
    throw badRequest('extensions', `extensions takes a JSON object, not ${show(extensions)}.`);
  return { query, variables, operationName, extensions };
}

const PARAMETERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

function show(value: unknown): string {
  return quoted(JSON.stringify(value));
}
