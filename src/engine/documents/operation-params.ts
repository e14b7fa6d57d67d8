import { isObject } from '../../domain/objects.ts';
import { type GatewayError, invalidArgument, quoted } from '../../errors.ts';
import { OPERATION_LIMITS } from '../../graphql/costs.ts';
import { badRequest } from '../client-errors.ts';

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

/**
 * Checks the values that a client sends with an operation, before anything else looks into them. Throws INVALID_ARGUMENT
 * for one nested deeper than those that walk through it can follow, and for a NUL, which no text in PostgreSQL has. What
 * the literals of a document hold is known once it is parsed: `Documents` refuses a NUL there.
 */
function refuseValues(params: object): void {
  for (const [name, value] of Object.entries(params)) {
    if (isNestedTooDeep(value))
      throw badRequest(
        name,
        `${name} is nested too deep; the most is ${OPERATION_LIMITS.levels} levels of lists and objects.`,
      );
    if (hasNul(value)) throw holdsNul(name);
  }
}

/** Whether a value has more levels of lists and objects than any that is taken. Looks no deeper than that. */
export function isNestedTooDeep(value: unknown, levels: number = OPERATION_LIMITS.levels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedTooDeep(inner, levels - 1));
}

/** What is said of a parameter with a NUL, as it is or as a string literal writes it. */
export function holdsNul(parameter: string): GatewayError {
  return invalidArgument(parameter, `${parameter} holds a NUL character, which no value here can.`);
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
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
