import cluster from 'node:cluster';
import { once } from 'node:events';
import { rmdirSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type ClientAddresses, createClientAddresses } from '../http/limits/client-address.ts';
import type { Quotas } from '../http/limits/quota.ts';
import { RateLimiter, readRateLimits } from '../http/limits/rate-limiter.ts';
import type { Listener } from '../http/server/connections.ts';
import { PASSED_FOR, passRequest, type Relay } from '../http/server/relay.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { createAskedQuotas } from './asked-quotas.ts';
import { Calls } from './calls.ts';
import { LeasedBudget } from './leased-budget.ts';
import type { Beginning, ToPrimary, ToWorker } from './messages.ts';

/** What a gateway that is one of several on a machine has in common with the others. */
export interface Membership {
  readonly quotas: Quotas;
  readonly limiter: RateLimiter | null;
  readonly clients: ClientAddresses;
  readonly listener: Listener;
  readonly relay: Relay;
  /** Whether another worker has passed a request on, and checked it. */
  isPassedOn(request: Pick<IncomingMessage, 'socket'>): boolean;
  /** Has the others told what is measured here. */
  tellMetrics(read: () => Promise<MetricsSnapshot>): void;
  /** Reads what is measured in all processes. */
  readMetrics(): Promise<readonly MetricsSnapshot[]>;
  /** How many workers there should be, and how many are ready. */
  readonly workers: { readonly wanted: number; readonly running: number };
}

/** How long the primary may take to say how to begin. */
const BEGIN_LIMIT_MS = 10_000;
/** How many signs of life a worker gives in the time in which it must show one. */
const SIGNS = 8;

/** A worker's line to the primary. It ends the process where the primary is gone: Node's cluster sees to that. */
export class Line {
  readonly beginning: Beginning;
  #take: ((message: ToWorker, socket: Socket | undefined) => void) | null = null;

  private constructor(beginning: Beginning) {
    this.beginning = beginning;
    process.on('message', (message: ToWorker, socket?: Socket) => this.#take?.(message, socket));
  }

  /** Waits until the primary says how to begin, which it does when it hears that there is somebody to listen. */
  static async open(stallMs: number): Promise<Line> {
    const told = once(process, 'message', { signal: AbortSignal.timeout(BEGIN_LIMIT_MS) });
    process.send?.({ kind: 'started' } satisfies ToPrimary);
    const [beginning] = (await told) as [Beginning];
    const line = new Line(beginning);
    setInterval(() => line.send({ kind: 'alive' }), stallMs / SIGNS).unref();
    return line;
  }

  send(message: ToPrimary): void {
    if (process.connected) process.send?.(message, undefined, {}, () => {});
  }

  /** Says the last that there is to say. */
  sendLast(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      if (process.send === undefined) resolve();
      else process.send(message, undefined, {}, () => resolve());
    });
  }

  receive(take: (message: ToWorker, socket: Socket | undefined) => void): void {
    this.#take = take;
  }
}

/** Joins the others; `onDrain` is called when all are to stop. */
export function joinMachine(line: Line, config: Config, logger: Logger, onDrain: () => void): Membership {
  const { folder, workers: wanted } = line.beginning;
  const ownId = cluster.worker?.id ?? 0;
  const send = (message: ToPrimary) => line.send(message);
  const calls = new Calls(send);
  const limits = readRateLimits(config.http);
  const budget = limits && new LeasedBudget({ limits, workers: wanted, calls, send });
  const handed = new WeakSet<Socket>();
  let noteLast = () => {};
  const last = new Promise<void>((resolve) => {
    noteLast = resolve;
  });
  const isPassedOn = ({ socket }: Pick<IncomingMessage, 'socket'>) => !handed.has(socket);
  const clients = createClients(createClientAddresses(config.http.trustedProxies, logger), isPassedOn);
  process.once('exit', () => removeSocket(folder, ownId));
  let running = 0;
  let accept: ((socket: Socket) => void) | null = null;
  let makeRoom: (client: string) => boolean = () => false;
  let readOwn: () => Promise<MetricsSnapshot> = async () => [];

  line.receive((message, socket) => {
    switch (message.kind) {
      case 'connection':
        send({ kind: 'taken', connection: message.connection });
        // It may have been closed on its way.
        if (socket === undefined || accept === null)
          return send({ kind: 'closed', connection: message.connection });
        handed.add(socket);
        socket.once('close', () => send({ kind: 'closed', connection: message.connection }));
        return accept(socket);
      case 'makeRoom':
        if (!makeRoom(message.client)) send({ kind: 'noRoom', client: message.client });
        return;
      case 'answer':
        return calls.take(message.call, message.value);
      case 'running':
        running = message.workers;
        return;
      case 'readMetrics':
        // What cannot be read is left out, and logged by nobody: it was not asked for here.
        readOwn().then(
          (snapshot) => send({ kind: 'metrics', reading: message.reading, snapshot }),
          () => {},
        );
        return;
      case 'drain':
        return onDrain();
      case 'last':
        return noteLast();
    }
  });

  return {
    quotas: createAskedQuotas(calls, send),
    limiter: limits && budget && new RateLimiter(limits, budget),
    clients,
    isPassedOn,
    tellMetrics(read) {
      readOwn = read;
    },
    readMetrics: () => calls.ask<'metrics'>({ about: 'metrics' }, () => {}),
    get workers() {
      return { wanted, running };
    },
    relay: createRelay(folder, ownId, clients),
    listener: {
      path: socketPath(folder, ownId),
      start(onSocket, onRoom) {
        [accept, makeRoom] = [onSocket, onRoom];
        send({ kind: 'ready' });
      },
      async end(limitMs) {
        await Promise.race([last, sleep(limitMs, undefined, { ref: false })]);
        budget?.close();
      },
    },
  };
}

/** Whoever was passed on by another worker counts for whom that says. */
function createClients(
  clients: ClientAddresses,
  isPassedOn: (request: Pick<IncomingMessage, 'socket'>) => boolean,
): ClientAddresses {
  return {
    ofRequest(request) {
      const passedFor = isPassedOn(request as IncomingMessage) ? request.headers[PASSED_FOR] : undefined;
      return typeof passedFor === 'string' ? passedFor : clients.ofRequest(request);
    },
    ofConnection: (socket) =>
      isPassedOn({ socket: socket as Socket }) ? null : clients.ofConnection(socket),
  };
}

function createRelay(folder: string, ownId: number, clients: ClientAddresses): Relay {
  return {
    prefix: `${ownId}.`,
    find(token) {
      const [, maker] = /^([1-9]\d{0,8})\.[\da-f-]{36}$/.exec(token) ?? [];
      return maker === undefined || Number(maker) === ownId ? null : socketPath(folder, Number(maker));
    },
    pass: (path, request, response) => passRequest(path, request, response, clients),
  };
}

/** Where the primary is gone, nobody else removes the folder: whoever is the last does. */
function removeSocket(folder: string, id: number): void {
  rmSync(socketPath(folder, id), { force: true });
  if (process.connected) return;
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or another's socket is in it.
  }
}

function socketPath(folder: string, id: number): string {
  return join(folder, `${id}.sock`);
}
