import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { errorsOf, toClientError } from '../engine/client-errors.ts';
import type { QueryOutcome } from '../engine/question.ts';
import { ERROR_CODES, type ErrorCode, type ErrorDetail, GatewayError } from '../errors.ts';
import { Answer } from '../http/write/answer.ts';
import { errorBody } from '../http/write/error-body.ts';
import { errorAnswer } from '../http/write/failure.ts';
import { toBody } from '../http/write/json.ts';
import type { MediaType } from './media-types.ts';

/** What an operation failed with, on its way to whoever answers each of those who asked for it. */
class FailedOperation extends Error {
  readonly result: ExecutionResult;

  constructor(result: ExecutionResult) {
    super('the operation has failed');
    this.result = result;
  }
}

/** The answer to a query without an error. Throws FailedOperation where it has one. */
export function dataAnswer(outcome: QueryOutcome, mediaType: MediaType): Answer {
  if (outcome.kind === 'result' && outcome.result.errors !== undefined)
    throw new FailedOperation(outcome.result);
  const text =
    outcome.kind === 'text' ? ['{"data":', ...outcome.data, '}'] : [JSON.stringify(outcome.result)];
  return new Answer(`${mediaType}; charset=utf-8`, toBody(text), [], { isFinal: outcome.isFinal });
}

/** Of a request: what masked errors name it by, and where the log has them. */
interface Asked {
  readonly id: string;
  readonly logger: Logger;
}

interface AnswerTo extends Asked {
  readonly mediaType: MediaType;
}

/** The answer to an operation that failed, be it before it ran or in it: with GraphQL's `errors`, and its data where it has some. */
export function failedAnswer(thrown: unknown, { mediaType, ...asked }: AnswerTo): Answer {
  const result = thrown instanceof FailedOperation ? thrown.result : { errors: errorsOf(thrown) };
  return errorsAnswer(shownResult(result, asked), mediaType);
}

/** A result as clients may see it, whoever writes it: each error has its code, and tells nothing of the inside. */
export function shownResult(result: ExecutionResult, { id, logger }: Asked): ShownResult {
  const { errors } = result;
  const shown: ExecutionResult =
    errors === undefined
      ? result
      : { ...result, errors: errors.map((error) => toClientError(error, id, logger)) };
  // The mark is the compiler's alone.
  return shown as ShownResult;
}

/** What `shownResult` alone makes, once of a result: the compiler refuses to answer with another. */
export interface ShownResult extends ExecutionResult {
  readonly [SHOWN]: true;
}
declare const SHOWN: unique symbol;

/**
 * The answer to a result whose errors are as clients may see them. The status says what is wrong where nothing was
 * executed, and where to try again helps (GraphQL over HTTP); clients that know `application/json` alone get 200 for
 * what was executed. Every body of another status is the documented error body, with `errors` beside it.
 */
export function errorsAnswer(result: ShownResult, mediaType: MediaType): Answer {
  const errors = result.errors ?? [];
  const status = statusOf(errors, mediaType);
  const shown = { ...result, errors: errors.map(withoutHttp) };
  const headers = ['Cache-Control', 'no-store', ...errors.flatMap((error) => headersOf(error))];
  if (status < 400)
    return new Answer(`${mediaType}; charset=utf-8`, JSON.stringify(shown), headers, { status });
  const [error] = shown.errors;
  const { code, details } = (error?.extensions ?? {}) as { code?: ErrorCode; details?: readonly unknown[] };
  const body = {
    code: ERROR_CODES[code ?? 'INTERNAL'].number,
    message: error?.message ?? '',
    details: details ?? [],
    ...shown,
  };
  return new Answer('application/json', JSON.stringify(body), headers, { status });
}

interface HttpHint {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function hintOf({ extensions }: GraphQLError): HttpHint {
  return (extensions['http'] ?? {}) as HttpHint;
}

function statusOf(errors: readonly GraphQLError[], mediaType: MediaType): number {
  let most = 0;
  for (const error of errors) {
    const status =
      hintOf(error).status ??
      (error.path === undefined && mediaType !== 'application/json'
        ? ERROR_CODES[error.extensions['code'] as ErrorCode].status
        : 0);
    most = Math.max(most, status);
  }
  return most === 0 ? 200 : most;
}

function headersOf(error: GraphQLError): readonly string[] {
  return Object.entries(hintOf(error).headers ?? {}).flat();
}

function withoutHttp(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = error;
  const { http: _, ...extensions } = error.extensions;
  return new GraphQLError(error.message, nodes, source, positions, path, null, extensions);
}

/** The answer to a request whose operation cannot begin; its errors are as clients may see them in a message. */
export function rejectedAnswer(errors: readonly GraphQLError[]): Answer {
  const [error] = errors;
  const code = error?.extensions['code'] as ErrorCode;
  const known = new GatewayError(
    code,
    error?.message ?? '',
    error?.extensions['details'] as readonly ErrorDetail[],
  );
  return errorAnswer({ ...errorBody(known, ''), ...{ errors } }, known);
}
