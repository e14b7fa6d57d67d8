import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { MessageQueue } from './message-queue.ts';

/**
 * A client of one stream, on whatever transport (`http-clients.ts`, `socket-clients.ts`). Tests ask it for one message
 * after the other. What a message is depends on the transport:
 *
 *   openNdjson, openDocumentedWebSocket   the parsed line or frame: `{ result, … }` or `{ error }`
 *   openSse                               `{ id, event, data }`, with `data` parsed
 *   openGraphqlSse, openGraphqlWs         the execution result: `{ data }` or `{ errors }`
 */
export interface StreamClient extends AsyncDisposable {
  /** The next message; null when the stream has ended. Fails after ten seconds, or the time given. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each message what it must be.
  next(limitMs?: number): Promise<any>;
  /** The next message as it came, without its framing. */
  nextText(limitMs?: number): Promise<string | null>;
  /** Takes no more bytes from the connection, and takes them again. */
  pause(): void;
  resume(): void;
  /** How many heartbeats came: blank lines, comments or pings. */
  readonly heartbeats: number;
  /** The head of the answer that the stream began with. */
  readonly headers: IncomingHttpHeaders;
  /** How it ended, once it has: the close code of a WebSocket; 1000 for a body that ended well, 1006 for one cut off. */
  readonly ended: Promise<StreamEnd>;
  /** Goes away at once, without a goodbye. */
  close(): void;
}

export interface StreamEnd {
  readonly code: number;
  readonly reason: string;
}

/** What opening a stream rejects with where the answer is not a stream. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it must be.
  readonly body: any;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    super(`refused with ${status}: ${text}`);
    this.status = status;
    this.headers = headers;
    this.body = JSON.parse(text);
  }
}

export async function readRefusal(response: IncomingMessage): Promise<RefusedError> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return new RefusedError(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString());
}

export type Headers = Readonly<Record<string, string>>;

/** What a transport gives to make a client of. */
export interface Connection extends Pick<StreamClient, 'pause' | 'resume' | 'headers' | 'ended' | 'close'> {
  readonly queue: MessageQueue<string>;
  readonly beats: { count: number };
}

export function clientOf(connection: Connection, read: (text: string) => unknown = JSON.parse): StreamClient {
  const { queue, beats, ended, headers, pause, resume, close } = connection;
  return {
    nextText: (limitMs) => queue.next(limitMs),
    async next(limitMs) {
      const text = await queue.next(limitMs);
      return text === null ? null : read(text);
    },
    get heartbeats() {
      return beats.count;
    },
    pause,
    resume,
    headers,
    ended,
    close,
    [Symbol.asyncDispose]: async () => close(),
  };
}
