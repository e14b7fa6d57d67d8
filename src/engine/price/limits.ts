import type { Plugin } from 'graphql-yoga';
import { type GatewayError, invalidArgument } from '../../errors.ts';
import { COST_OF, OPERATION_LIMITS } from '../../graphql/costs.ts';
import { badRequest } from '../client-errors.ts';
import { textOf } from '../documents/document-cache.ts';
import type { OperationCost } from './cost.ts';

/** Refuses a document that is too long. Its length bounds its depth and its aliases too. */
export function useDocumentLimits(): Plugin {
  return {
    onParse({ params, parseFn, setParseFn }) {
      const { length } = textOf(params.source);
      if (length > OPERATION_LIMITS.length) throw refuseLength(length);
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: OPERATION_LIMITS.tokens }));
    },
  };
}

function refuseLength(length: number): GatewayError {
  return badRequest(
    'query',
    `The document has ${length} characters; the most is ${OPERATION_LIMITS.length}. Long values can be given in variables.`,
  );
}

/** The refusal of an operation that could ask for too much; null for others. */
export function refuseExcess({ cost, counts }: OperationCost): GatewayError | null {
  if (!(cost <= OPERATION_LIMITS.cost)) {
    return refuse(
      `The operation can cost ${show(cost)}, as pages below pages multiply; the most is ${OPERATION_LIMITS.cost}. ${PRICES} Ask for smaller pages (first, last), or select less below them.`,
    );
  }
  if (!(counts <= OPERATION_LIMITS.counts)) {
    return refuse(
      `The operation selects totalCount ${show(counts)} times; the most is ${OPERATION_LIMITS.counts}. Ask for the others in an operation of their own.`,
    );
  }
  return null;
}

const PRICES = `A field costs ${COST_OF.field}, a row of a page ${COST_OF.row}, an object linked to ${COST_OF.object}, a list ${COST_OF.list}, one of nodes ${COST_OF.node}.`;

function show(number: number): string {
  return Number.isSafeInteger(number) ? `${number}` : 'countless';
}

function refuse(description: string): GatewayError {
  return invalidArgument('query', description);
}
