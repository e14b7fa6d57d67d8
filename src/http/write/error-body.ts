import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetail,
  GatewayError,
  gatewayErrorOf,
  masked,
  quoted,
} from '../../errors.ts';

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

  constructor(
    status: 406 | 408 | 409 | 413 | 415 | 431,
    message: string,
    code: ErrorCode = 'INVALID_ARGUMENT',
  ) {
    super(code, message);
    this.status = status;
    this.extensions['http'] = { status };
  }
}

/** The error body of anything thrown. What clients may not read is masked behind the request's id. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const { code, message, details } = gatewayErrorOf(error) ?? masked(requestId);
  return { code: ERROR_CODES[code].number, message, details };
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

/** The path of a request as a message shows it: as it was sent, without the query. */
export function quotedPath({
  url = '',
  originalUrl = url,
}: {
  readonly url?: string | undefined;
  readonly originalUrl?: string;
}): string {
  return quoted(originalUrl.split('?', 1)[0] ?? '');
}
