import type { RequestListener } from 'node:http';
import { type Entrance, isProbe } from './entrance.ts';
import { COST_OF_ASKING } from './limits/rate-limiter.ts';
import { normalizeTarget } from './limits/request-limits.ts';
import type { Turns } from './limits/turns.ts';
import type { WatchRequest } from './watch/request-steps.ts';
import type { AnswerWriter } from './write/answer-writer.ts';
import type { Exchange } from './write/exchange.ts';

/**
 * Takes every request of a server: begins its exchange, and hands it over once it has entered and this turn of the event
 * loop, or one of the next, has time for it. Health checks never wait for that.
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
    watch?.(request, response);
    const exchange = writer.begin(request, response);
    const reject = (error: unknown) => {
      if (!response.destroyed) writer.fail(exchange, error);
    };
    const takeNow = () => response.destroyed || take(exchange);
    const takeInTurn = () => {
      if (isProbe(request) || !turns.isOver('usual')) takeNow();
      else void Promise.resolve(turns.do(exchange.scope.client, 0, 'usual', takeNow)).catch(reject);
    };
    try {
      const waiting = enter(request, COST_OF_ASKING.request);
      if (waiting === null) takeInTurn();
      else waiting.then(takeInTurn).catch(reject);
    } catch (error) {
      reject(error);
    }
  };
}
