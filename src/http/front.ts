import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { quoted } from '../errors.ts';
import { handOn } from './handed-on.ts';
import { COST_OF_ASKING } from './limits/rate-limiter.ts';
import { Rejection } from './limits/rejection.ts';
import { collectBody, hasTarget, isPlainHead, lengthOfPlainBody } from './limits/request-limits.ts';
import { isPlainUrl, type PlainRequestOptions, type Question } from './plain-requests.ts';
import type { ScopeOf } from './request-scope.ts';
import type { WatchRequest } from './watch/request-steps.ts';
import { noteKeptAnswer } from './watch/server-timing.ts';
import { chooseEncoding, type Encoding } from './write/compress.ts';
import { type Arrived, FrontWriter } from './write/front-writer.ts';
import { NO_HEADERS, type ReadyHeaders, readyHeaders } from './write/ready-head.ts';
import { chooseRequestId } from './write/request-id.ts';
import { setHeaders } from './write/send-answer.ts';

export interface FrontOptions extends PlainRequestOptions {
  /** Takes every request that is not plain. */
  readonly app: RequestListener;
  readonly bodyLimit: number;
  readonly scopeOf: ScopeOf;
  /** Holds a request back until the block is there that it asks for; null where it need not wait. */
  readonly minBlock: (request: IncomingMessage) => Promise<void> | null;
  /** Watches what is done for requests; null where nobody wants to know. */
  readonly watch: WatchRequest | null;
}

/**
 * Stands before the application and answers plain requests itself: of paths that it knows, with nothing unusual in
 * their head. They pass the same checks and get the same headers, log line and watch as in the layers of the
 * application, which cost more than such an answer does. What is unusual and what goes wrong is the application's to
 * answer, with what is known by then.
 */
export function createFront({
  kept,
  scopeOf,
  limiter,
  minBlock,
  gets,
  posts,
  watch,
  ...options
}: FrontOptions): RequestListener {
  const writer = new FrontWriter({ ...options, limiter });

  function takeGet(request: IncomingMessage, response: ServerResponse): void {
    const encoding = isPlainHead(request) ? encodingFor(request) : null;
    if (encoding === null) {
      handOnUnread(request, response);
      return;
    }
    const url = request.url ?? '';
    const asked = {
      request,
      response,
      encoding,
      key: url,
      start: performance.now(),
      nameBlock: gets.nameBlock,
    };
    if (answerKept(asked)) return;
    const read = isPlainUrl(url) ? gets.find(url) : null;
    if (read === null) {
      handOnUnread(request, response);
      return;
    }
    if (!hasRoom(asked)) return;
    const question = read();
    void answerAnew(asked, question, (error, id, block) => {
      handOn(request, { start: asked.start, id, failure: { error } });
      setHeaders(response, [...block.list, ...question.head]);
    });
  }

  function takePost(request: IncomingMessage, response: ServerResponse): void {
    const length = lengthOfPlainBody(request);
    const encoding = encodingFor(request);
    const form = posts.formOf(request.headers);
    if (length === null || length > options.bodyLimit || encoding === null || form === null) {
      handOnUnread(request, response);
      return;
    }
    const start = performance.now();
    collectBody(request, (body) => {
      // The form first: no address begins like it.
      const key = `${form} ${body.toString('latin1')}`;
      const asked = { request, response, encoding, key, start, nameBlock: nameNoBlock };
      if (answerKept(asked) || !hasRoom(asked)) return;
      Object.assign(request, { body });
      const question = posts.read(body, form);
      if (question === null) {
        whenCharged(asked, COST_OF_ASKING.layers, () => {
          handOn(request, { start, id: chooseRequestId(request), failure: null });
          pass(request, response);
        });
        return;
      }
      void answerAnew(asked, question, (error, id) => {
        handOn(request, { start, id, failure: null });
        posts.noteFailure(request, error);
      });
    });
  }

  /** Leaves a request to the application. Of GraphQL even a refusal is dear there, so that is refused here if it must be. */
  function handOnUnread(request: IncomingMessage, response: ServerResponse): void {
    const [path] = request.url?.split('?', 1) ?? [];
    const asked = unreadNow(request, response);
    const isDear = path === posts.path && request.method !== 'OPTIONS';
    if (!isDear) pass(request, response);
    else if (hasRoom(asked)) whenCharged(asked, COST_OF_ASKING.layers, () => pass(request, response));
  }

  function answerKept(asked: Asked): boolean {
    const answer = kept.find(asked.key);
    if (!answer?.isReadyIn(asked.encoding)) return false;
    if (watch !== null) noteKeptAnswer(asked.response);
    if (asked.request.method === 'POST') posts.noteKept(answer);
    void writer.send(writer.begin(asked), answer, asked.encoding, asked.nameBlock());
    return true;
  }

  /** Whether there is room for a request; else it is refused. */
  function hasRoom(asked: Checked): boolean {
    const refusal = options.rejectionFor(options.clients.ofRequest(asked.request));
    if (refusal !== null) refuse(refusal, asked);
    return refusal === null;
  }

  /** Goes on once the client was charged, which nearly always is at once; else its request is refused. */
  function whenCharged(asked: Checked, cost: number, goOn: () => void): void {
    let charging: void | Promise<void>;
    try {
      charging = limiter?.charge(options.clients.ofRequest(asked.request), cost);
    } catch (error) {
      refuse(error, asked);
      return;
    }
    if (charging === undefined) goOn();
    else
      charging.then(
        () => asked.response.destroyed || goOn(),
        (error) => asked.response.destroyed || refuse(error, asked),
      );
  }

  function refuse(error: unknown, asked: Checked): void {
    if (!(error instanceof Rejection)) throw error;
    writer.refuse(writer.begin(asked), error, [asked.nameBlock()]);
  }

  async function answerAnew(
    asked: Asked,
    question: Question,
    noteFailure: (error: unknown, id: string, block: ReadyHeaders) => void,
  ): Promise<void> {
    const { request, response } = asked;
    const answered = writer.begin(asked);
    // The block is read first: the body can then be newer than the headers say, never older.
    const block = asked.nameBlock();
    try {
      const answer = await kept.ask(asked.key, question.make, scopeOf(request, response));
      await writer.send(answered, answer, asked.encoding, block);
    } catch (error) {
      if (error instanceof Rejection) {
        writer.refuse(answered, error, [block, readyHeaders(question.head)]);
        return;
      }
      answered.line?.leave();
      noteFailure(error, answered.id, block);
      pass(request, response);
    }
  }

  /** Leaves a request to the application, which does not know of the limit. */
  function pass(request: IncomingMessage, response: ServerResponse): void {
    if (limiter !== null && !isProbe(request))
      setHeaders(response, limiter.headersFor(options.clients.ofRequest(request)));
    options.app(request, response);
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    if (!hasTarget(request)) refuseTarget(request, response);
    else if (request.method === 'GET' || request.method === 'HEAD') takeGet(request, response);
    else if (request.method === 'POST' && request.url === posts.path) takePost(request, response);
    else handOnUnread(request, response);
  }

  function refuseTarget(request: IncomingMessage, response: ServerResponse): void {
    const message = `The request is for ${quoted(request.url ?? '')}, which is no address.`;
    refuse(new Rejection('INVALID_ARGUMENT', message), unreadNow(request, response));
  }

  /** Takes a request when the block is there that it asks for. */
  function takeInTime(request: IncomingMessage, response: ServerResponse): void {
    const held = minBlock(request);
    if (held === null) {
      take(request, response);
      return;
    }
    const checked = { request, response, start: performance.now(), nameBlock: gets.nameBlock };
    held.then(
      () => response.destroyed || take(request, response),
      (error) => response.destroyed || refuse(error, checked),
    );
  }

  return (request, response) => {
    watch?.(request, response);
    if (isProbe(request)) return take(request, response);
    if (limiter === null) return takeInTime(request, response);
    whenCharged(unreadNow(request, response), COST_OF_ASKING.request, () => takeInTime(request, response));
  };
}

interface Asked extends Arrived {
  readonly encoding: Encoding | 'identity';
  /** Under what its answer is kept. */
  readonly key: string;
  readonly nameBlock: () => ReadyHeaders;
}

/** What of a request a refusal needs. */
type Checked = Arrived & Pick<Asked, 'nameBlock'>;

/** A request that has just come, of which nothing is read. */
function unreadNow(request: IncomingMessage, response: ServerResponse): Checked {
  return { request, response, start: performance.now(), nameBlock: nameNoBlock };
}

/** Whoever asks whether the gateway is well is always answered. */
function isProbe({ url }: IncomingMessage): boolean {
  return url?.startsWith('/health') ?? false;
}

function nameNoBlock(): ReadyHeaders {
  return NO_HEADERS;
}

function encodingFor({ method, headers }: IncomingMessage): Encoding | 'identity' | null {
  return method === 'HEAD' ? 'identity' : chooseEncoding(headers['accept-encoding']);
}
