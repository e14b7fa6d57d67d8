import type { RequestListener } from 'node:http';
import type { Entrance } from './entrance.ts';
import { COST_OF_ASKING } from './limits/rate-limiter.ts';
import type { WatchRequest } from './watch/request-steps.ts';
import type { AnswerWriter } from './write/answer-writer.ts';
import type { Exchange } from './write/exchange.ts';

/** Takes every request of a server: begins its exchange, and hands it over once it has entered. */
export function createRequestHandler({
  writer,
  enter,
  watch,
  take,
}: {
  readonly writer: AnswerWriter;
  readonly enter: Entrance;
  /** Watches what is done for requests; null where nobody wants to know. */
  readonly watch: WatchRequest | null;
  readonly take: (exchange: Exchange) => void;
}): RequestListener {
  return (request, response) => {
    watch?.(request, response);
    const exchange = writer.begin(request, response);
    const reject = (error: unknown) => {
      if (!response.destroyed) writer.fail(exchange, error);
    };
    try {
      const waiting = enter(request, COST_OF_ASKING.request);
      if (waiting === null) take(exchange);
      else waiting.then(() => response.destroyed || take(exchange)).catch(reject);
    } catch (error) {
      reject(error);
    }
  };
}
