import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../write/answer.ts';
import { chooseEncoding } from '../write/compress.ts';
import { sendAnswer } from '../write/send-answer.ts';

/**
 * Makes a handler of what is the same for all: it is made when it is first asked for, and then there as bytes, compressed
 * too. What failed once may be tried again.
 */
export function serveOnce(
  make: () => Promise<Answer>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let made: Promise<Answer> | null = null;
  return async (request, response) => {
    made ??= make().then(keepBytes);
    const answer = await made.catch((error) => {
      made = null;
      throw error;
    });
    response.appendHeader('Vary', 'Accept-Encoding');
    // An unusual Accept-Encoding is for the application's compression to read.
    const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity';
    await sendAnswer(request, response, answer, encoding);
  };
}

function keepBytes(answer: Answer): Answer {
  answer.keep(() => {});
  return answer;
}
