import { invalidArgument } from '../../errors.ts';
import { COST_OF, OPERATION_LIMITS } from '../../graphql/costs.ts';
import type { OperationCost } from './cost.ts';

/** Throws INVALID_ARGUMENT for an operation that could ask for too much. */
export function checkPrice({ cost, counts }: OperationCost): void {
  // A cost that is no number is too much too.
  if (!(cost <= OPERATION_LIMITS.cost))
    throw invalidArgument(
      'query',
      `The operation can cost ${show(cost)}, as pages below pages multiply; the most is ${OPERATION_LIMITS.cost}. ${PRICES} Ask for smaller pages (first, last), or select less below them.`,
    );
  if (!(counts <= OPERATION_LIMITS.counts))
    throw invalidArgument(
      'query',
      `The operation selects totalCount ${show(counts)} times; the most is ${OPERATION_LIMITS.counts}. Ask for the others in an operation of their own.`,
    );
}

const PRICES = `A field costs ${COST_OF.field}, a row of a page ${COST_OF.row}, an object linked to ${COST_OF.object}, a list ${COST_OF.list}, one of nodes ${COST_OF.node}.`;

function show(number: number): string {
  return Number.isSafeInteger(number) ? `${number}` : 'countless';
}
