import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../write/answer.ts';
import type { AnswerWriter } from '../write/answer-writer.ts';
import { exchangeOf } from '../write/exchange.ts';

/**
 * Makes a handler of what is the same for all: it is made when it is first asked for, and then there as bytes, compressed
 * too. What failed once may be tried again.
 */
export function serveOnce(
  writer: AnswerWriter,
  make: () => Promise<Answer>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let made: Promise<Answer> | null = null;
  return async (_request, response) => {
    made ??= make().then((answer) => {
      answer.keep(() => {});
      return answer;
    });
    const answer = await made.catch((error) => {
      made = null;
      throw error;
    });
    await writer.send(exchangeOf(response), answer);
  };
}
