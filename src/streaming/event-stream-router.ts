import { type Request, Router } from 'express';
import type { Logger } from 'pino';
import {
  type OperationParams,
  parseJson,
  readOperationParams,
} from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import { GatewayError, invalidArgument, notFound, quoted } from '../errors.ts';
import { rejectedAnswer } from '../graphql-http/graphql-answer.ts';
import { isJson } from '../graphql-http/media-types.ts';
import { lengthOf } from '../graphql-http/request-params.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import type { Quota } from '../http/limits/quota.ts';
import { COST_OF_ASKING, type RateLimiter } from '../http/limits/rate-limiter.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { HttpError } from '../http/write/error-body.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { beginBody, EVENTS } from './body-sink.ts';
import { EventStream } from './event-stream.ts';
import { MAX_OPERATION_ID_LENGTH, type Operations } from './graphql-operations.ts';
import type { StreamCounts } from './stream-counts.ts';

/** Where event streams of many operations are. */
export const EVENT_STREAM_PATH = '/graphql/stream';
/** Where a request says which reservation it is for: as graphql-sse has it, and for a browser's EventSource. */
const TOKEN = { header: 'X-GraphQL-Event-Stream-Token', parameter: 'token' } as const;

interface EventStreamRouterOptions {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly operations: Operations;
  /** How many event streams may be reserved and open. */
  readonly quota: Quota;
  readonly clients: ClientAddresses;
  readonly limiter: RateLimiter | null;
  /** Whether requests of one client can reach other processes, which know nothing of its event streams. */
  readonly isOneOfSeveral: boolean;
  readonly heartbeatMs: number;
  readonly stallMs: number;
  readonly counts: StreamCounts;
  readonly logger: Logger;
}

/** GraphQL over SSE in single connection mode. */
interface EventStreams {
  readonly router: Router;
  /** Reserves no more, and ends each event stream when its last operation is over. */
  drain(): void;
}

/**
 * PUT reserves an event stream and gives its token; GET reads it, once; POST begins an operation on it, whose errors are
 * that request's answer; DELETE ends one.
 */
export function createEventStreams(options: EventStreamRouterOptions): EventStreams {
  const { engine, operations, limiter, clients, writer } = options;
  const open = new Map<string, EventStream>();
  const router = Router({ caseSensitive: true, strict: true });
  router.all(EVENT_STREAM_PATH, onlyMethods('GET', 'POST', 'PUT', 'DELETE'), (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next(options.isOneOfSeveral ? needsOneProcess() : undefined);
  });
  router.put(EVENT_STREAM_PATH, async (request, response) => {
    if (operations.isDraining)
      throw new GatewayError('UNAVAILABLE', 'The gateway is stopping. Ask another one.');
    const { token } = await reserve(clients.ofRequest(request), open, options);
    response.status(201).setHeader('Content-Type', 'text/plain');
    response.end(token);
  });
  router.get(EVENT_STREAM_PATH, async (request, response) => {
    const stream = find(request, open, options);
    if (request.method !== 'HEAD') return stream.open(response);
    beginBody(response, EVENTS);
    response.end();
  });
  router.post(EVENT_STREAM_PATH, async (request, response) => {
    const client = clients.ofRequest(request);
    await limiter?.charge(client, COST_OF_ASKING.layers);
    const params = await engine.readBytes(client, lengthOf(request), () => readParams(request));
    // Only now: it may have ended while the request waited to be read.
    const stream = find(request, open, options);
    const errors = await stream.begin(
      operationIdOf(params),
      (others, signal) => operations.begin(params, request, { others, minHeight: null, signal }),
      (stop) => {
        if (response.destroyed) stop();
        response.once('close', () => response.writableEnded || stop());
      },
    );
    if (errors === null) response.status(202).end();
    else await writer.send(exchangeOf(response), rejectedAnswer(errors));
  });
  router.delete(EVENT_STREAM_PATH, (request, response) => {
    const stream = find(request, open, options);
    const id = parameterOf(request, 'operationId');
    if (id === null) throw invalidArgument('operationId', 'The parameter operationId is missing.');
    stream.stop(id);
    response.status(200).end();
  });
  return {
    router,
    drain() {
      for (const stream of [...open.values()]) if (stream.isIdle) stream.end();
    },
  };
}

async function reserve(
  client: string,
  open: Map<string, EventStream>,
  { operations, quota, limiter, heartbeatMs, stallMs, counts, logger }: EventStreamRouterOptions,
): Promise<EventStream> {
  await limiter?.charge(client, COST_OF_ASKING.stream);
  const release = await quota.take(client);
  const stream: EventStream = new EventStream({
    client,
    heartbeatMs,
    stallMs,
    onEnd() {
      open.delete(stream.token);
      release();
    },
    onStall() {
      counts.cut.stalled += 1;
    },
    onIdle: () => operations.isDraining && stream.end(),
    onFault: (err) => logger.error({ err }, 'an event stream failed'),
  });
  open.set(stream.token, stream);
  return stream;
}

/** The event stream of a request's token. Another client's is as unknown as any. */
function find(
  request: Request,
  open: ReadonlyMap<string, EventStream>,
  { clients }: EventStreamRouterOptions,
): EventStream {
  const token = request.get(TOKEN.header) ?? parameterOf(request, TOKEN.parameter);
  if (token === null)
    throw invalidArgument(
      TOKEN.parameter,
      `The token of an event stream is missing: the header ${TOKEN.header}, or the parameter ${TOKEN.parameter}. PUT ${EVENT_STREAM_PATH} gives one. An operation on a connection of its own is asked at /graphql.`,
    );
  const stream = open.get(token);
  if (stream !== undefined && stream.client === clients.ofRequest(request)) return stream;
  throw notFound('event stream', token, `There is no event stream with token ${quoted(token)}.`);
}

/** The requests of an event stream come on several connections, and another process has some of these. */
function needsOneProcess(): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    'Event streams of many operations need a gateway of one process (WORKERS=1). Ask for each operation at /graphql with Accept: text/event-stream, or for many on a WebSocket.',
  );
}

function readParams(request: Request): OperationParams {
  if (!isJson(request.get('Content-Type')))
    throw new HttpError(415, 'An operation is sent as JSON, with Content-Type: application/json.');
  return readOperationParams(parseJson(request.body));
}

function parameterOf({ originalUrl }: Request, name: string): string | null {
  const query = originalUrl.slice(originalUrl.indexOf('?') + 1);
  return (originalUrl.includes('?') && new URLSearchParams(query).get(name)) || null;
}

function operationIdOf({ extensions }: OperationParams): string {
  const id = extensions?.['operationId'];
  if (typeof id === 'string' && id !== '' && id.length <= MAX_OPERATION_ID_LENGTH) return id;
  const shown = id === undefined ? 'missing' : quoted(typeof id === 'string' ? id : JSON.stringify(id));
  throw invalidArgument(
    'extensions.operationId',
    `extensions.operationId is ${shown}; it takes a text of 1 to ${MAX_OPERATION_ID_LENGTH} characters, which the operation's messages then have.`,
  );
}
