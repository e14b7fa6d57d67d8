import { invalidArgument } from '../../errors.ts';
import { OPERATION_LIMITS } from '../../graphql/costs.ts';
import { badRequest } from '../client-errors.ts';

/**
 * Checks the values that a client sends with an operation, before anything else looks into them. Throws INVALID_ARGUMENT
 * for one nested deeper than those that walk through it can follow, and for a NUL, which no text in PostgreSQL has.
 */
export function refuseValues(params: object): void {
  for (const [name, value] of Object.entries(params)) {
    if (isNestedTooDeep(value))
      throw badRequest(
        name,
        `${name} is nested too deep; the most is ${OPERATION_LIMITS.levels} levels of lists and objects.`,
      );
    if (hasNul(value) || (name === 'query' && ESCAPED_NUL.test(String(value))))
      throw invalidArgument(name, `${name} holds a NUL character, which no value here can.`);
  }
}

/** Whether a value has more levels of lists and objects than any that is taken. Looks no deeper than that. */
export function isNestedTooDeep(value: unknown, levels: number = OPERATION_LIMITS.levels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedTooDeep(inner, levels - 1));
}

/** As a string literal within a document can write it. */
const ESCAPED_NUL = /\\u(?:0000|\{0+\})/;

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
