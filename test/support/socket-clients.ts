import type { IncomingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import { MessageQueue, within } from './message-queue.ts';
import {
  type Connection,
  clientOf,
  type Headers,
  readRefusal,
  type StreamClient,
  type StreamEnd,
} from './stream-client.ts';

export interface SocketOptions {
  readonly headers?: Headers;
  readonly protocols?: readonly string[];
  /** Whether pings are answered, as every living client does. */
  readonly autoPong?: boolean;
}

/** Opens a documented stream as a WebSocket. */
export async function openDocumentedWebSocket(
  url: string,
  path: string,
  options: SocketOptions = {},
): Promise<StreamClient> {
  return clientOf(await connect(`${url}${path}`, [], options));
}

/** A bare connection of the protocol `graphql-transport-ws`, for tests that say each message themselves. */
export interface GraphqlSocket extends StreamClient {
  /** Sends an object as JSON; a text, or bytes, as they are. */
  send(message: unknown): void;
}

export async function openGraphqlSocket(url: string, options: SocketOptions = {}): Promise<GraphqlSocket> {
  const connection = await connect(`${url}/graphql`, options.protocols ?? ['graphql-transport-ws'], options);
  return Object.assign(clientOf(connection), { send: connection.send });
}

/** Subscribes over a WebSocket of its own. */
export async function openGraphqlWs(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  options: SocketOptions = {},
): Promise<StreamClient> {
  const results = new MessageQueue<string>();
  const { send, ...connection } = await connect(
    `${url}/graphql`,
    ['graphql-transport-ws'],
    options,
    (text) => {
      const { type, payload } = JSON.parse(text);
      if (type === 'connection_ack') {
        send({ id: '1', type: 'subscribe', payload: { query, variables } });
      } else if (type === 'next') {
        results.push(JSON.stringify(payload));
      } else {
        if (type === 'error') results.push(JSON.stringify({ errors: payload }));
        results.end();
      }
    },
  );
  void connection.ended.then(() => results.end());
  send({ type: 'connection_init' });
  return clientOf({ ...connection, queue: results });
}

async function connect(
  url: string,
  protocols: readonly string[],
  { headers, autoPong }: SocketOptions,
  onText?: (text: string) => void,
): Promise<Connection & { readonly send: (message: unknown) => void }> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], {
    autoPong: autoPong ?? true,
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  });
  const queue = new MessageQueue<string>();
  const beats = { count: 0 };
  socket.on('message', (data) => (onText === undefined ? queue.push(String(data)) : onText(String(data))));
  socket.on('ping', () => {
    beats.count += 1;
  });
  const ended = new Promise<StreamEnd>((resolve) => {
    socket.once('close', (code, reason) => {
      queue.end();
      resolve({ code, reason: String(reason) });
    });
  });
  return {
    queue,
    beats,
    ended,
    headers: await within(opened(socket), `opening ${url}`),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
    send: (message) => {
      const isRaw = typeof message === 'string' || message instanceof Uint8Array;
      socket.send(isRaw ? message : JSON.stringify(message));
    },
  };
}

function opened(socket: WebSocket): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    socket.once('upgrade', (response) => {
      headers = response.headers;
    });
    socket.once('open', () => resolve(headers));
    socket.once('unexpected-response', (_, response) => readRefusal(response).then(reject, reject));
    // Stays for later errors, too: what they mean is told by the close that follows.
    socket.on('error', reject);
  });
}
