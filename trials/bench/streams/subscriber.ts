import { WebSocket } from 'ws';

/*
 * The process that follows streams: many WebSockets, each with one stream. It counts what comes and keeps when, and looks
 * into nothing else: what the messages say is checked by one more subscriber, which the case has itself.
 */

/** What the sockets ask for: a documented path, or one GraphQL subscription with variables of each its own. */
export interface Subscriptions {
  readonly urls: readonly string[];
  readonly graphql: { readonly query: string; readonly variables: readonly object[] } | null;
  /** How many messages each stream begins with, before the changes. */
  readonly beginning: number;
}

export type SubscriberOrder =
  | { readonly open: Subscriptions }
  /** Wait until so many messages have come since the last order, together. */
  | { readonly await: number; readonly limitMs: number };

export type SubscriberReport =
  | { readonly opened: number }
  /** When each message came, in nanoseconds of this machine's clock, at most so many of the first ones. */
  | {
      readonly messages: number;
      readonly first: bigint;
      readonly last: bigint;
      readonly times: readonly bigint[];
    }
  | { readonly failure: string };

const MOST_TIMES = 100_000;
const AT_ONCE = 100;

let messages = 0;
let times: bigint[] = [];
let last = 0n;
let wanted = Number.POSITIVE_INFINITY;
let reached = () => {};
let failed = (_error: Error) => {};

process.on('message', (order: SubscriberOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function carryOut(order: SubscriberOrder): Promise<SubscriberReport> {
  if ('open' in order) return openAll(order.open);
  await countTo(order.await, order.limitMs);
  const report = { messages, first: times[0] ?? 0n, last, times };
  messages = 0;
  times = [];
  wanted = Number.POSITIVE_INFINITY;
  return report;
}

async function openAll({ urls, graphql, beginning }: Subscriptions): Promise<SubscriberReport> {
  const hasFailed = new Promise<never>((_, reject) => {
    failed = reject;
  });
  hasFailed.catch(() => {});
  for (let index = 0; index < urls.length; index += AT_ONCE) {
    const some = urls.slice(index, index + AT_ONCE).map((url, offset) => {
      const variables = graphql?.variables[index + offset] ?? {};
      return open(url, graphql && { query: graphql.query, variables }, beginning);
    });
    await Promise.race([Promise.all(some), hasFailed]);
  }
  messages = 0;
  times = [];
  return { opened: urls.length };
}

/** Resolves when the stream has begun. */
function open(url: string, operation: object | null, beginning: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, operation === null ? [] : 'graphql-transport-ws', {
      perMessageDeflate: false,
    });
    let missing = beginning;
    socket.on('error', reject);
    socket.on('close', (code, reason) => failed(new Error(`a stream has ended: ${code} ${reason}`)));
    const begin = () => {
      missing -= 1;
      if (missing <= 0) {
        resolve();
        socket.off('message', onBeginning);
        socket.on('message', onMessage);
      }
    };
    const onBeginning = (data: Buffer) => {
      if (operation === null) return begin();
      const text = data.toString('latin1', 0, 60);
      if (text.includes('"connection_ack"')) {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: operation }));
        if (missing === 0) begin();
      } else if (text.includes('"next"')) begin();
      else failed(new Error(`a stream says ${data.toString('utf8').slice(0, 300)}`));
    };
    const onMessage = () => {
      messages += 1;
      last = process.hrtime.bigint();
      if (times.length < MOST_TIMES) times.push(last);
      if (messages === wanted) reached();
    };
    socket.on('open', () => {
      if (operation !== null) socket.send('{"type":"connection_init"}');
      else if (missing === 0) begin();
    });
    socket.on('message', onBeginning);
  });
}

async function countTo(count: number, limitMs: number): Promise<void> {
  if (messages >= count) return;
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`${messages} of ${count} messages came`)), limitMs);
    wanted = count;
    reached = () => {
      clearTimeout(limit);
      resolve();
    };
    failed = reject;
  });
}
