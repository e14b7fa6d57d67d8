import { invalidArgument } from '../../errors.ts';
import { COST_OF, OPERATION_LIMITS, type Told } from '../../graphql/costs.ts';
import type { OperationCost } from './cost.ts';
import { COST_OF_READING } from './reading.ts';

/** Throws INVALID_ARGUMENT for an operation that could ask for too much. */
export function checkPrice({ cost, counts, introspection, places }: OperationCost): void {
  // A cost that is no number is too much too.
  if (!(cost <= OPERATION_LIMITS.cost))
    throw invalidArgument(
      'query',
      `The operation can cost ${show(cost)}, as pages below pages multiply; the most is ${OPERATION_LIMITS.cost}. ${PRICES} Ask for smaller pages (first, last), or give shorter lists of values, or select less below them.`,
    );
  if (!(counts <= OPERATION_LIMITS.counts))
    throw invalidArgument(
      'query',
      `The operation selects totalCount ${show(counts)} times, with sums and tallies; the most is ${OPERATION_LIMITS.counts}. Ask for the others in an operation of their own.`,
    );
  if (!(introspection <= OPERATION_LIMITS.introspection))
    throw invalidArgument(
      'query',
      `The operation asks too much of the schema: it can cost ${show(introspection)}; the most is ${OPERATION_LIMITS.introspection}. The whole schema is at /schema.graphql.`,
    );
  if (!(places <= OPERATION_LIMITS.places))
    throw invalidArgument(
      'query',
      `The operation selects ${show(places)} fields, as fragments that are spread again count again; the most is ${OPERATION_LIMITS.places}. Spread them in fewer places.`,
    );
}

/** Throws INVALID_ARGUMENT where so many rows of whole blocks come to too much, with what is selected below them. */
export function checkTold(cost: number, { rows }: Told): void {
  const most = Math.max(OPERATION_LIMITS.cost, OPERATION_LIMITS.toldRow * rows);
  if (cost <= most) return;
  throw invalidArgument(
    'query',
    `The blocks that are told change ${rows} rows; with what is selected below them that costs ${Math.ceil(cost)}, and the most is ${most}. Select less below each row, or choose rows by a filter.`,
  );
}

const PRICES = `A field costs ${COST_OF.field}, a row of a page ${COST_OF.row}, an object linked to ${COST_OF.object}, a list ${COST_OF.list}, one of nodes ${COST_OF.node}, a value that is given in a list ${COST_OF_READING.value}.`;

function show(number: number): string {
  return Number.isSafeInteger(number) ? `${number}` : 'countless';
}
