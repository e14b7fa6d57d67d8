import { connect, type Socket } from 'node:net';
import { quantile } from '../measure/figures.ts';
import { AnswerReader } from './http-answers.ts';

/*
 * The process that asks at a steady rate, whether answers come or not. A request's time counts from when it was due: what
 * waits for a connection, or for this process, waits all the same. How late the process itself was is reported besides.
 */

/** Requests of one kind, in their order and then again from the first. */
export interface Traffic {
  readonly name: string;
  readonly requests: readonly Uint8Array[];
  /** Null: each connection asks again as soon as it has its answer. */
  readonly perSecond: number | null;
  /** All are open before the first request. */
  readonly connections: number;
  /** No more than so many are sent; unless said, as many as are due. */
  readonly most?: number;
}

export interface OpenLoopOrder {
  readonly host: string;
  readonly port: number;
  readonly traffic: readonly Traffic[];
  /** What is due before that is sent, and not counted. */
  readonly settleMs: number;
  readonly durationMs: number;
}

/** What became of one kind of requests. */
export interface TrafficReport {
  readonly name: string;
  readonly seconds: number;
  readonly statuses: Readonly<Record<number, Times>>;
  /** Not answered, and those whose connection was closed. */
  readonly lost: number;
  /** How many were due while every connection had one under way. */
  readonly waited: number;
  /** How long after it was due a request went out that had a connection, at its 99th percentile: the load's own fault. */
  readonly lateP99: number;
}

/** In milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export type OpenLoopReport = readonly TrafficReport[] | { readonly failure: string };

/** How long the last answers are waited for. */
const LAST_ANSWERS_MS = 20_000;

process.on('message', (order: OpenLoopOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function run(order: OpenLoopOrder): Promise<readonly TrafficReport[]> {
  const kinds = await Promise.all(order.traffic.map((traffic) => openKind(order, traffic)));
  const start = performance.now();
  return Promise.all(kinds.map((kind) => kind.run(start)));
}

async function openKind(order: OpenLoopOrder, traffic: Traffic) {
  const { name, requests, perSecond, connections, most = Number.POSITIVE_INFINITY } = traffic;
  const times = new Map<number, number[]>();
  const late: number[] = [];
  const idle: Asking[] = [];
  const overdue: number[] = [];
  const all = new Set<Asking>();
  let [next, lost, waited, underWay] = [0, 0, 0, 0];
  let [countFrom, isOver, isDone] = [0, false, () => {}];

  const ask = (asking: Asking, due: number) => {
    asking.due = due;
    underWay += 1;
    asking.socket.write(requests[next++ % requests.length] as Uint8Array);
  };
  const goOn = (asking: Asking) => {
    underWay -= 1;
    const due = perSecond === null && !isOver ? performance.now() : overdue.shift();
    if (due !== undefined) ask(asking, due);
    else if (isOver && underWay === 0) isDone();
    else idle.push(asking);
  };
  const open = async (): Promise<Asking> => {
    const socket = await openSocket(order);
    const asking: Asking = { socket, due: null };
    const reader = new AnswerReader(({ status }) => {
      const { due } = asking;
      if (due === null) return;
      asking.due = null;
      if (due >= countFrom) addTo(times, status, performance.now() - due);
      goOn(asking);
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      all.delete(asking);
      const place = idle.indexOf(asking);
      if (place >= 0) idle.splice(place, 1);
      if (asking.due !== null) {
        lost += 1;
        underWay -= 1;
      }
      if (!isOver)
        open().then(
          (fresh) => {
            underWay += 1;
            goOn(fresh);
          },
          () => {},
        );
    });
    all.add(asking);
    return asking;
  };

  idle.push(...(await Promise.all(Array.from({ length: connections }, open))));
  const send = (due: number) => {
    const asking = idle.pop();
    if (asking === undefined) {
      if (due >= countFrom) waited += 1;
      overdue.push(due);
      return;
    }
    if (due >= countFrom) late.push(performance.now() - due);
    ask(asking, due);
  };

  return {
    async run(start: number): Promise<TrafficReport> {
      countFrom = start + order.settleMs;
      const end = start + order.durationMs;
      if (perSecond === null) while (idle.length > 0) send(performance.now());
      await new Promise<void>((resolve) => {
        let sent = 0;
        const tick = () => {
          const now = Math.min(performance.now(), end);
          while (perSecond !== null && sent < most && start + (sent * 1000) / perSecond < now)
            send(start + (sent++ * 1000) / perSecond);
          if (performance.now() < end) setTimeout(tick, 1);
          else resolve();
        };
        tick();
      });
      isOver = true;
      await new Promise<void>((resolve) => {
        isDone = resolve;
        setTimeout(resolve, LAST_ANSWERS_MS);
        if (underWay === 0) resolve();
      });
      for (const { socket, due } of all) {
        if (due !== null) lost += 1;
        socket.removeAllListeners('close').destroy();
      }
      return {
        name,
        seconds: (order.durationMs - order.settleMs) / 1000,
        statuses: Object.fromEntries([...times].map(([status, values]) => [status, summarize(values)])),
        lost: lost + overdue.length,
        waited,
        lateP99: late.length === 0 ? 0 : summarize(late).p99,
      };
    },
  };
}

interface Asking {
  readonly socket: Socket;
  /** Since when its request is due; null while it has none. */
  due: number | null;
}

function addTo(times: Map<number, number[]>, status: number, ms: number): void {
  const values = times.get(status);
  if (values === undefined) times.set(status, [ms]);
  else values.push(ms);
}

function summarize(values: readonly number[]): Times {
  const sorted = Float64Array.from(values).sort();
  const max = sorted.at(-1) ?? 0;
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max };
}

/**
 * Opens a connection that the server has taken, which its answer says. The kernel says that one is open as soon as it waits
 * to be taken; Node takes one in each turn of its event loop, so that the last of hundreds wait for as many busy turns.
 */
function openSocket({ host, port }: OpenLoopOrder): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () =>
      socket.write(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    );
    // It is so short that it comes as one.
    socket.once('data', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
