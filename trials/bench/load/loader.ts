import { connect, type Socket } from 'node:net';
import { quantile } from '../measure/figures.ts';
import { type Answer, AnswerReader } from './http-answers.ts';

/*
 * The process that asks: some connections, each of which sends its next request when it has the answer to the one before. It
 * ends with the time, or when every request was sent where none may be sent twice.
 */

export interface LoadOrder {
  readonly host: string;
  readonly port: number;
  /** The requests in their order, as bytes; the connections share them. */
  readonly requests: readonly Uint8Array[];
  /** Whether to begin again with the first; else no request is sent twice. */
  readonly repeat: boolean;
  readonly status: number;
  readonly connections: number;
  readonly durationMs: number;
  /** To go on until so many are answered, for at most four times as long: a warming up on a machine that is slow just now. */
  readonly least: number;
}

export type LoadReport =
  | { readonly requests: number; readonly seconds: number; readonly p50: number; readonly p99: number }
  | { readonly failure: string };

const PATIENCE = 4;

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function run(order: LoadOrder): Promise<LoadReport> {
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)));
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  const isOver = (at: number) =>
    at >= start + order.durationMs &&
    (times.length >= order.least || at >= start + PATIENCE * order.durationMs);
  const take = () => {
    if (isOver(performance.now())) return undefined;
    if (next === order.requests.length && order.repeat) next = 0;
    return order.requests[next++];
  };
  try {
    await Promise.all(sockets.map((socket) => drive(socket, order, take, times)));
    const seconds = (performance.now() - start) / 1000;
    const values = Float64Array.from(times).sort();
    return { requests: times.length, seconds, p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Asks on one connection until there is nothing more to ask. */
function drive(
  socket: Socket,
  { status: expected }: LoadOrder,
  take: () => Uint8Array | undefined,
  times: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const ask = () => {
      const request = take();
      if (request === undefined) return resolve();
      sent = performance.now();
      socket.write(request);
    };
    const reader = new AnswerReader(({ status, bytes }: Answer) => {
      if (status !== expected)
        return reject(new Error(`an answer has the status ${status} (${bytes} bytes)`));
      times.push(performance.now() - sent);
      ask();
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    ask();
  });
}

function open({ host, port }: LoadOrder): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
