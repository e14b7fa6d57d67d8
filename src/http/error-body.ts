import { GraphQLError } from 'graphql';
import { ERROR_CODES, type ErrorCode, type ErrorDetail, GatewayError } from '../errors.ts';

/** The documented body of every answer that is not a success. */
export interface ErrorBody {
  /** The gRPC code. */
  readonly code: number;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

/** A request that HTTP itself cannot take: its status is one that no gRPC code maps to. */
export class HttpError extends GatewayError {
  readonly status: number;

  constructor(status: 408 | 413 | 415 | 431, message: string, code: ErrorCode = 'INVALID_ARGUMENT') {
    super(code, message);
    this.status = status;
    this.extensions['http'] = { status };
  }
}

/** The error body of anything thrown. What clients may not read is masked behind the request's id. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const known = gatewayErrorOf(error);
  if (known !== undefined) {
    return { code: ERROR_CODES[known.code].number, message: known.message, details: known.details };
  }
  return {
    code: ERROR_CODES.INTERNAL.number,
    message: `Something went wrong here, not with the request. The log has it under request id ${requestId}.`,
    details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId }],
  };
}

/** The HTTP status of anything thrown: 500 for what clients may not read. */
export function statusOf(error: unknown): number {
  const known = gatewayErrorOf(error);
  if (known instanceof HttpError) return known.status;
  return ERROR_CODES[known?.code ?? 'INTERNAL'].status;
}

/** Whole seconds for `Retry-After`, at least 1; undefined where trying again would not help. */
export function retryAfterOf(error: unknown): number | undefined {
  const known = gatewayErrorOf(error);
  const retry = known?.details.find(
    (detail) => detail['@type'] === 'type.googleapis.com/google.rpc.RetryInfo',
  );
  if (retry !== undefined) return Math.max(1, Math.ceil(Number.parseFloat(retry.retryDelay)) || 1);
  return known?.code === 'UNAVAILABLE' ? 1 : undefined;
}

/** The error that clients may read, also where GraphQL execution has wrapped it on its way. */
export function gatewayErrorOf(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  if (error instanceof GraphQLError && error.originalError !== error)
    return gatewayErrorOf(error.originalError);
  return undefined;
}
