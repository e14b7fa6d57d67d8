import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { logAnswer } from './access-log.ts';
import type { Answer } from './answer.ts';
import { chooseEncoding, type Encoding } from './compress.ts';
import { createFrontHead } from './front-head.ts';
import { handOn } from './handed-on.ts';
import type { KeptAnswers, MadeAnswer } from './kept-answers.ts';
import { chooseRequestId } from './request-id.ts';
import { isPlainHead } from './request-limits.ts';
import { type HeaderList, sendAnswer, setHeaders } from './send-answer.ts';
import { cutUnlessTaken } from './stalls.ts';

/** What a GET asks, as whoever serves its path has read it. */
export interface Question {
  /** Headers of its own, with which the answer begins, and the error too. */
  readonly head: HeaderList;
  /** Makes the answer. Throws what the error handler answers with. */
  readonly make: () => Promise<MadeAnswer>;
}

export interface FrontOptions {
  /** Takes every request that is not plain. */
  readonly app: RequestListener;
  readonly logger: Logger;
  readonly corsOrigin: '*' | readonly string[];
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly kept: KeptAnswers;
  /** The headers that name the newest block. */
  readonly nameBlock: () => HeaderList;
  /** Reads the address of a GET as it was sent; null for a path that it does not serve. Never throws. */
  readonly readQuestion: (url: string) => Question | null;
}

/**
 * Stands before the application and answers plain requests itself: GET and HEAD without a body, of paths that it knows,
 * with nothing unusual in their head. They pass the same checks and get the same headers, log line and watch as in the
 * layers of the application, which cost more than such an answer does. What goes wrong is said by the application.
 */
export function createFront({ app, logger, kept, nameBlock, ...options }: FrontOptions): RequestListener {
  const headFor = createFrontHead(options.corsOrigin);
  const isLogging = logger.isLevelEnabled('info');

  async function answerAnew(asked: Asked, question: Question): Promise<void> {
    const { request, response } = asked;
    const start = performance.now();
    const id = chooseRequestId(request);
    const stopLog = isLogging ? logAnswer(logger, request, response, { start, id }) : () => {};
    // The block is read first: the body can then be newer than the headers say, never older.
    const block = nameBlock();
    try {
      const answer = await kept.ask(asked.url, question.make);
      await send(asked, answer, id, block);
    } catch (error) {
      stopLog();
      handOn(request, { start, id, failure: { error } });
      setHeaders(response, [...block, ...question.head]);
      app(request, response);
    }
  }

  function send(
    { request, response, encoding }: Asked,
    answer: Answer,
    id: string,
    block: HeaderList,
  ): void | Promise<void> {
    const head = ['X-Request-Id', id, ...headFor(request.headers.origin), ...block];
    const sent = sendAnswer(request, response, answer, head, encoding);
    if (sent === undefined) cutUnlessTaken(response, options.stallMs);
    else return sent.then(() => cutUnlessTaken(response, options.stallMs));
  }

  return (request, response) => {
    const encoding = isPlainHead(request) ? encodingFor(request) : null;
    if (encoding === null) return app(request, response);
    const asked = { request, response, encoding, url: request.url ?? '' };
    const answer = kept.find(asked.url);
    if (answer?.isReadyIn(encoding)) {
      const id = chooseRequestId(request);
      if (isLogging) logAnswer(logger, request, response, { start: performance.now(), id });
      void send(asked, answer, id, nameBlock());
      return;
    }
    const question = PLAIN_URL.test(asked.url) ? options.readQuestion(asked.url) : null;
    if (question === null) app(request, response);
    else void answerAnew(asked, question);
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly encoding: Encoding | 'identity';
}

/** Visible ASCII without the fragment, which no client should send: what Node, Express and we read in one way. */
const PLAIN_URL = /^\/[!"$-~]*$/;

function encodingFor({ method, headers }: IncomingMessage): Encoding | 'identity' | null {
  return method === 'HEAD' ? 'identity' : chooseEncoding(headers['accept-encoding']);
}
