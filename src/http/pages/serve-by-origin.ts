import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../write/answer.ts';
import type { AnswerWriter } from '../write/answer-writer.ts';
import { exchangeOf } from '../write/exchange.ts';

/** How much memory the answers take that are kept for all the names by which the gateway is asked. */
const MAX_BYTES = 16 * 2 ** 20;
/** A longer name than any host has is answered, and not kept. */
const MAX_ORIGIN = 300;

/** What is sent of a page at an address: of the gateway as its client knows it, or as it is written. */
export type MakeFor = (origin: string | null) => Promise<Answer>;

/**
 * Makes what serves pages that name the gateway's own address: each is made once for each name by which it is asked, and
 * kept within one bound for all pages and names. `page` tells them apart.
 */
export function createServeByOrigin(writer: AnswerWriter) {
  const kept = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });

  async function find(page: string, origin: string | null, make: MakeFor): Promise<Answer> {
    const key = `${page} ${origin ?? ''}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = await make(origin);
    if ((origin ?? '').length > MAX_ORIGIN) return answer;
    // It grows when it is compressed, and counts anew then.
    answer.keep(() => kept.set(key, answer));
    kept.set(key, answer);
    return answer;
  }

  return (page: string, make: MakeFor) =>
    async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const exchange = exchangeOf(response);
      await writer.send(exchange, await find(page, exchange.origin, make));
    };
}
