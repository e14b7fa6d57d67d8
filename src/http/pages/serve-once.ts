import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../write/answer.ts';
import type { AnswerWriter } from '../write/answer-writer.ts';
import { exchangeOf } from '../write/exchange.ts';

/**
 * Makes a handler of what is the same for all: it is made when it is first asked for, and then there as bytes, compressed
 * too.
 */
export function serveOnce(
  writer: AnswerWriter,
  make: () => Promise<Answer>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const find = makeOnce(async () => {
    const answer = await make();
    answer.keepForGood();
    return answer;
  });
  return async (_request, response) => writer.send(exchangeOf(response), await find());
}

/** Gives what is made when it is first asked for. What failed once may be tried again. */
export function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
