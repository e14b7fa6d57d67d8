import { get, type IncomingMessage } from 'node:http';
import { MessageQueue, within } from './message-queue.ts';
import { clientOf, type Headers, readRefusal, type StreamClient, type StreamEnd } from './stream-client.ts';

/** GETs a documented stream as lines of JSON. */
export async function openNdjson(url: string, path: string, headers: Headers = {}): Promise<StreamClient> {
  return openParts(`${url}${path}`, headers, '\n', (line) => line === '', JSON.parse);
}

/** GETs a documented stream as server-sent events. `lastEventId` is sent as browsers do when they come back. */
export async function openSse(
  url: string,
  path: string,
  lastEventId?: string,
  others: Headers = {},
): Promise<StreamClient> {
  const resume: Headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const headers = { Accept: 'text/event-stream', ...resume, ...others };
  return openParts(`${url}${path}`, headers, '\n\n', isComment, (text) => {
    const { data, ...event } = readEvent(text);
    return { ...event, data: JSON.parse(data) };
  });
}

/** Subscribes over server-sent events. */
export async function openGraphqlSse(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<StreamClient> {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const headers = { Accept: 'text/event-stream' };
  return openParts(`${url}/graphql?${parameters}`, headers, '\n\n', isComment, (text) => {
    const { event, data } = readEvent(text);
    return event === 'complete' ? null : JSON.parse(data);
  });
}

/** Reads a body that comes in parts, each ended by a separator; some of the parts are heartbeats. */
async function openParts(
  url: string,
  headers: Headers,
  separator: string,
  isBeat: (part: string) => boolean,
  read: (part: string) => unknown,
): Promise<StreamClient> {
  const response = await getStream(url, headers);
  const queue = new MessageQueue<string>();
  const beats = { count: 0 };
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split(separator);
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (isBeat(part)) beats.count += 1;
      else queue.push(part);
    }
  });
  const ended = new Promise<StreamEnd>((resolve) => {
    response.on('error', () => {}); // A body that is cut off; `complete` tells.
    response.once('close', () => {
      if (rest !== '') queue.push(rest);
      queue.end();
      resolve(response.complete ? { code: 1000, reason: '' } : { code: 1006, reason: 'cut off' });
    });
  });
  const controls = {
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
  return clientOf({ queue, beats, ended, headers: response.headers, ...controls }, read);
}

async function getStream(url: string, headers: Headers): Promise<IncomingMessage> {
  const opening = new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, headers }, resolve).on('error', reject);
  });
  const response = await within(opening, `opening ${url}`);
  if (response.statusCode !== 200) throw await readRefusal(response);
  return response;
}

function isComment(text: string): boolean {
  return text.split('\n').every((line) => line === '' || line.startsWith(':'));
}

function readEvent(text: string) {
  const valuesOf = (field: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  return {
    id: valuesOf('id')[0],
    event: valuesOf('event')[0] ?? 'message',
    data: valuesOf('data').join('\n'),
  };
}
