import type { IncomingMessage, RequestListener } from 'node:http';
import { GatewayError, quoted } from '../errors.ts';
import type { ClientAddresses } from './limits/client-address.ts';
import { createMinBlock, type WaitForBlock } from './limits/min-block.ts';
import { COST_OF_ASKING, type RateLimiter } from './limits/rate-limiter.ts';
import { checkHead, hasBody, hasTarget, normalizeTarget } from './limits/request-limits.ts';
import type { Turns } from './limits/turns.ts';
import type { WatchRequest } from './watch/request-steps.ts';
import type { AnswerWriter } from './write/answer-writer.ts';
import type { Exchange } from './write/exchange.ts';

/**
 * Takes every request of a server: begins its exchange, and hands it over once it has entered and this turn of the event
 * loop, or one of the next, has time for it. Health checks never wait for that, unless they are asked behind something
 * else on their connection: Node hands over all that came on one in the same turn.
 */
export function createRequestHandler({
  writer,
  enter,
  turns,
  watch,
  take,
}: {
  readonly writer: AnswerWriter;
  readonly enter: Entrance;
  readonly turns: Turns;
  /** Watches what is done for requests; null where nobody wants to know. */
  readonly watch: WatchRequest | null;
  readonly take: (exchange: Exchange) => void;
}): RequestListener {
  return (request, response) => {
    normalizeTarget(request);
    const exchange = writer.begin(request, response, watch?.(request, response) ?? null);
    const reject = (error: unknown) => {
      if (!response.destroyed) writer.fail(exchange, error);
    };
    const takeNow = () => response.destroyed || take(exchange);
    const takeInTurn = () => {
      if (isProbe(request) || !turns.isOver('usual')) takeNow();
      else void Promise.resolve(turns.do(exchange.scope.client, 0, 'usual', takeNow)).catch(reject);
    };
    const come = () => {
      if (request.socket.destroyed) return;
      try {
        const waiting = enter(request, COST_OF_ASKING.request);
        if (waiting === null) takeInTurn();
        else waiting.then(takeInTurn).catch(reject);
      } catch (error) {
        reject(error);
      }
    };
    const isBehindAnother = response.socket === null;
    if (!isBehindAnother || !turns.isOver('usual')) come();
    else void Promise.resolve(turns.do(exchange.scope.client, 0, 'usual', come)).catch(reject);
  };
}

export interface EntranceOptions {
  readonly clients: ClientAddresses;
  /** Null where clients may ask for as much as they like. */
  readonly limiter: RateLimiter | null;
  readonly waitForBlock: WaitForBlock;
}

/**
 * What every request passes when it comes, to become a WebSocket too: its client may ask for `cost` more, its head is as
 * it should be, and the block is there that it asks for. Gives null where nothing is waited for, which is nearly always.
 * Throws, or rejects with, the reason why it may not enter.
 */
export type Entrance = (request: IncomingMessage, cost: number) => Promise<void> | null;

export function createEntrance({ clients, limiter, waitForBlock }: EntranceOptions): Entrance {
  const minBlock = createMinBlock(waitForBlock, clients);
  return (request, cost) => {
    // Whoever asks whether the gateway is well is always answered.
    if (isProbe(request)) {
      checkHead(request);
      return null;
    }
    const charging = limiter?.charge(clients.ofRequest(request), cost);
    return charging === undefined ? pass(request) : charging.then(async () => void (await pass(request)));
  };

  function pass(request: IncomingMessage): Promise<void> | null {
    if (!hasTarget(request)) throw noTarget(request);
    checkHead(request);
    return minBlock(request);
  }
}

/** Whether a request asks whether the gateway is well: of these paths, and for nothing else. */
export function isProbe(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): boolean {
  const { url = '', method } = request;
  const isAsking = url.startsWith('/health') && PROBE.test(url) && (method === 'GET' || method === 'HEAD');
  return isAsking && !hasBody(request);
}

const PROBE = /^\/health(?:\/live|\/ready)?(?:\?|$)/;

function noTarget({ url = '' }: IncomingMessage): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', `The request is for ${quoted(url)}, which is no address.`);
}
