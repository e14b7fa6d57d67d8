import type { IncomingMessage } from 'node:http';
import type { ExecutionArgs, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { toClientError } from '../engine/client-errors.ts';
import type { Subscribe } from '../engine/run/subscribe.ts';
import { ERROR_CODES, type ErrorCode, GatewayError } from '../errors.ts';
import { requestIdOf } from '../http/write/request-id.ts';
import type { OperationContext, OperationProtocol, ServerContext } from './server-context.ts';

/** Gives each error of an answer its code, and masks those that clients may not read. */
export function useClientErrors(logger: Logger): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result || result.errors === undefined) return;
      const requestId = requestIdOf(serverContext.res);
      const errors = result.errors.map((error) => withStatus(toClientError(error, requestId, logger)));
      setResult({ ...result, errors });
    },
  };
}

/** Subscribes for the client that a request came from, on a protocol. */
export type SubscribeFor = (
  request: IncomingMessage,
  protocol: Exclude<OperationProtocol, 'http' | 'batch'>,
) => Subscribe;

/** Subscribes as every other transport does, for as long as the connection of the answer is there. */
export function useSubscribe(
  subscribeFor: SubscribeFor,
): Plugin<OperationContext & Partial<ServerContext>, ServerContext> {
  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { req, res, protocol, onSubscribed } = args.contextValue;
      // Of a stream nothing would be left without its body, and it would never end.
      if (req.method === 'HEAD') return setResultAndStopExecution({ errors: [refuseHead()] });
      setSubscribeFn(async (operation: ExecutionArgs) => {
        const messages = await subscribeFor(
          req,
          protocol === 'batch' ? 'sse' : (protocol ?? 'sse'),
        )(operation);
        if (Symbol.asyncIterator in messages) onSubscribed?.(messages);
        if (res !== undefined && Symbol.asyncIterator in messages) {
          // The body is read no further when its connection is gone, and nobody else would end the stream.
          const leave = () => void messages.return();
          if (res.destroyed) leave();
          else res.once('close', leave);
        }
        return messages;
      });
    },
  };
}

function refuseHead(): GatewayError {
  const error = new GatewayError('UNIMPLEMENTED', 'A subscription takes GET or POST, not HEAD.');
  const { status } = ERROR_CODES[error.code];
  error.extensions['http'] = { status, headers: { Allow: 'GET, POST' } };
  return error;
}

/** Where nothing was executed the status says so; `spec` leaves the 200 to clients that only know `application/json`. */
function withStatus(error: GraphQLError): GraphQLError {
  const status = ERROR_CODES[error.extensions['code'] as ErrorCode].status;
  if (error.path === undefined) error.extensions['http'] ??= { status, spec: true };
  return error;
}

/** Makes the body of every answer that is not a success the documented error body, beside GraphQL's `errors`. */
export function useErrorBody(): Plugin<object, ServerContext> {
  return {
    async onResponse({ response, setResponse, fetchAPI }) {
      if (response.status < 400) return;
      const isEvents = hasType(response, 'text/event-stream');
      const isParts = hasType(response, 'multipart/mixed');
      const text = await response.text();
      const answer = readJson(isEvents ? dataOf(text) : isParts ? partOf(text) : text);
      const [error] = answer.errors ?? [];
      const body = {
        code: ERROR_CODES[error?.extensions?.code ?? codeOfStatus(response.status)].number,
        message: error?.message ?? describeStatus(response),
        details: error?.extensions?.details ?? [],
        ...answer,
      };
      // Taken one by one: of those that a stream was given, some would stay whatever is deleted.
      const headers = new fetchAPI.Headers();
      response.headers.forEach((value, name) => {
        if (!OF_ANOTHER_BODY.has(name.toLowerCase())) headers.set(name, value);
      });
      headers.set('cache-control', 'no-store');
      headers.set('content-type', 'application/json');
      const { status, statusText } = response;
      setResponse(new fetchAPI.Response(JSON.stringify(body), { status, statusText, headers }));
    },
  };
}

/** Headers of the body that was there, and of the connection, which is Node's. */
const OF_ANOTHER_BODY: ReadonlySet<string> = new Set([
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
]);

/** What a client can do about a refusal that has no words of its own. */
function describeStatus({
  status,
  statusText,
}: {
  readonly status: number;
  readonly statusText: string;
}): string {
  if (status === 415) return 'An operation is sent as JSON, with Content-Type: application/json.';
  if (status === 406)
    return 'The Accept header has no form of this answer: application/json, or text/event-stream for a subscription.';
  return `The request cannot be taken: ${statusText || status}.`;
}

/** What the first event of a refusal holds: nothing is streamed that has not begun. */
function dataOf(events: string): string {
  return /^data: (.*)$/m.exec(events)?.[1] ?? '';
}

/** The one part of a refusal that came in parts. */
function partOf(parts: string): string {
  return /^\{.*\}\r?$/m.exec(parts)?.[0] ?? '';
}

function hasType({ headers }: { readonly headers: Headers }, type: string): boolean {
  return headers.get('content-type')?.startsWith(type) ?? false;
}

interface Answer {
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: ErrorCode; readonly details?: readonly unknown[] };
  }[];
}

function readJson(text: string): Answer {
  return text === '' ? {} : (JSON.parse(text) as Answer);
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 405) return 'UNIMPLEMENTED';
  return status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL';
}
