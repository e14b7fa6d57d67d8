import { type ExecutionResult, type GraphQLError, locatedError } from 'graphql';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { codeOf } from '../client-errors.ts';

/** Of an answer whose rows fail each by itself, its reader wants to know each; a list that is ended is told by one. */
const MOST_TOLD = 100;

/**
 * A result with the first of its errors: each row may have one, and to write an error takes longer than to ask for its field. The first
 * error of each code is told as well, as the status and the log go by it. What stands for all others is an error at the place of the
 * first of them, which says how many there are.
 */
export function tellFew(result: ExecutionResult): ExecutionResult {
  const { errors = [] } = result;
  // A list that was ended with an error that says so is whole.
  if (errors.length <= MOST_TOLD + 1) return result;
  const codes = new Set<ErrorCode>();
  const told: GraphQLError[] = [];
  const others: GraphQLError[] = [];
  for (const error of errors) {
    const code = codeOf(error);
    (told.length < MOST_TOLD || !codes.has(code) ? told : others).push(error);
    codes.add(code);
  }
  const [first] = others;
  return first === undefined ? result : { ...result, errors: [...told, standFor(first, others.length)] };
}

function standFor(first: GraphQLError, count: number): GraphQLError {
  const message = `Too many errors: ${count} more, the first of them here, are not told. What is null without an error has one of them.`;
  return locatedError(new GatewayError(codeOf(first), message), first.nodes, first.path);
}
