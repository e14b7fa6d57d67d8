import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { withClient } from '../database/bench-database.ts';
import { encodeRequest, get } from '../load/request.ts';
import type { OpenLoop, OpenLoopRun, TrafficFigures } from '../load/start-open-loop.ts';
import { readMemory } from '../measure/cpu.ts';
import type { BenchServer } from '../servers/start-server.ts';
import { counts, dear, from, LIVE, pages } from './questions.ts';

/** What ordinary clients and health see while others ask for much. */
export interface Crowded {
  readonly ordinary: TrafficFigures;
  readonly live: TrafficFigures;
  readonly others: TrafficFigures;
}

const DURATION_MS = { full: 10_000, quick: 5_000 } as const;
const LEAVING_ROUNDS = 9;
const ORDINARY_PER_SECOND = 50;
/** More than are asked for in that time, so that nothing kept answers. */
const MOST_DEAR = 5_000;
const ORDINARY_CLIENTS = Array.from({ length: 10 }, (_, client) => 500 + client);

type Crowd = OpenLoopRun['traffic'][number];

/** Clients that ask for the largest pages again and again. */
export function askGreedily(bench: Bench, load: OpenLoop, server: BenchServer, clients: number) {
  const requests = Array.from({ length: MOST_DEAR }, (_, number) =>
    dear(number % clients, number, bench.size.rows),
  );
  return besideOrdinary(bench, load, server, {
    name: 'others',
    requests,
    perSecond: null,
    connections: clients,
  });
}

/** Clients that ask for pages of 1,000 again and again. */
export function askForThousands(bench: Bench, load: OpenLoop, server: BenchServer, clients: number) {
  const all = Array.from({ length: clients }, (_, client) => client);
  const requests = pages(bench.size.rows, { first: 1_000, clients: all, most: 5_000 });
  return besideOrdinary(bench, load, server, {
    name: 'others',
    requests,
    perSecond: null,
    connections: clients,
  });
}

/** One operation with twenty counts, by one client again and again. */
export function askForCounts(bench: Bench, load: OpenLoop, server: BenchServer) {
  const requests = Array.from({ length: 100 }, (_, round) => counts(0, round));
  return besideOrdinary(bench, load, server, { name: 'others', requests, perSecond: null, connections: 1 });
}

async function besideOrdinary(
  { size }: Bench,
  load: OpenLoop,
  { url }: BenchServer,
  others: Crowd,
): Promise<Crowded> {
  const ordinary = pages(size.rows, { first: 20, clients: ORDINARY_CLIENTS, most: 5_000 });
  const figures = await load.run({
    url,
    settleMs: 500,
    durationMs: DURATION_MS[size.name],
    traffic: [
      { name: 'ordinary', requests: ordinary, perSecond: ORDINARY_PER_SECOND, connections: 50 },
      { name: 'live', requests: [LIVE], perSecond: 20, connections: 4 },
      others,
    ],
  });
  const of = (name: string) => figures.get(name) as TrafficFigures;
  return { ordinary: of('ordinary'), live: of('live'), others: of('others') };
}

/** Twenty of the largest pages, each once, at the same moment. */
export async function askLargeAtOnce(
  { size }: Bench,
  load: OpenLoop,
  { url }: BenchServer,
): Promise<Pick<Crowded, 'live' | 'others'>> {
  const requests = Array.from({ length: 20 }, (_, client) => dear(client, client, size.rows));
  const figures = await load.run({
    url,
    settleMs: 0,
    durationMs: 3_000,
    traffic: [
      // All are due within 20 ms, and none after.
      { name: 'others', requests, perSecond: 1000, connections: 20, most: 20 },
      { name: 'live', requests: [LIVE], perSecond: 20, connections: 4 },
    ],
  });
  const of = (name: string) => figures.get(name) as TrafficFigures;
  return { live: of('live'), others: of('others') };
}

/** How many milliseconds PostgreSQL goes on for clients that left after 50, each time; the first is for warming up. */
export async function leaveAgainAndAgain(
  bench: Bench,
  server: BenchServer,
  databaseUrl: string,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round <= LEAVING_ROUNDS; round += 1)
    times.push(await leave(bench, server, databaseUrl));
  return times.slice(1);
}

async function leave({ size }: Bench, { url }: BenchServer, databaseUrl: string): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: 15 }, (_, client) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {}).resume();
    socket.write(encodeRequest(dear(600 + client, client, size.rows), host));
    return socket;
  });
  return withClient(databaseUrl, async (client) => {
    await sleep(50);
    for (const socket of sockets) socket.destroy();
    const left = performance.now();
    let end = left;
    // Statements follow each other: none for a while is the end.
    while (performance.now() < end + 500) {
      const { rows } = await client.query<{ count: number }>(ACTIVE);
      if ((rows[0]?.count ?? 0) > 0) end = performance.now();
      await sleep(2);
    }
    return end - left;
  });
}

const ACTIVE = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query ILIKE '%accounts%'`;

/** How many megabytes the process takes at most while thirty ask for GraphiQL's page, and before. */
export async function askForGraphiql(load: OpenLoop, server: BenchServer) {
  const before = readMemory(server.pid);
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, readMemory(server.pid));
  }, 10);
  const page = from(0, get('/graphql', { Accept: 'text/html' }));
  try {
    await load.run({
      url: server.url,
      settleMs: 0,
      durationMs: 2_000,
      traffic: [{ name: 'pages', requests: [page], perSecond: 3_000, connections: 30, most: 30 }],
    });
  } finally {
    clearInterval(look);
  }
  return { before: before / 1e6, most: most / 1e6 };
}
