import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../../bench/bench.ts';
import { READER } from '../../bench/database/bench-database.ts';
import { idOf, shuffled } from '../../bench/database/rows.ts';
import { phraseRest } from '../../bench/load/deposit-questions.ts';
import { type BenchRequest, get } from '../../bench/load/request.ts';
import { type OpenLoop, startOpenLoop } from '../../bench/load/start-open-loop.ts';
import { cpuBetween, readBackendCpu, readServerCpu } from '../../bench/measure/cpu.ts';
import { median, quantile, sorted } from '../../bench/measure/figures.ts';
import { type BenchServer, startPeriscope } from '../../bench/servers/start-server.ts';
import { MANY_STREAMS } from '../../bench/streams/settings.ts';
import { socketUrl, startSubscribers } from '../../bench/streams/start-subscribers.ts';
import { type BlockWriter, startBlockWriter } from '../../bench/writer/block-writer.ts';
import { balanceEvents } from '../../bench/writer/events.ts';

/** What is asked of a gateway for some seconds, all at once: 0 where nothing of a kind is. */
export interface Load {
  readonly keptPerSecond: number;
  readonly rowsPerSecond: number;
  readonly followers: number;
  readonly blocksPerSecond: number;
  readonly seconds: number;
  /** For warming up: what has never run is slow, and may be refused. */
  readonly mayBeRefused?: true;
}

/** In nanoseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** What that came to: how much was done, and the nanoseconds of processor time that it took. */
export interface Taken {
  readonly seconds: number;
  readonly keptCount: number;
  readonly rowCount: number;
  readonly blockCount: number;
  readonly gatewayNs: number;
  readonly databaseNs: number;
  readonly writerNs: number;
  readonly kept: Spread;
  readonly rows: Spread;
  /** From a block's commit to its first message at a client. */
  readonly first: Spread;
}

/** A gateway of one process over the bench's database, a writer of blocks, and who asks. */
export interface Site extends AsyncDisposable {
  take(load: Load): Promise<Taken>;
}

const OWNER = 'periscope';
/** So many connections ask that none waits for one. */
const CONNECTIONS = 64;
/** The model queues where a gateway refuses: at a moment in which the machine does something else, one of so many. */
const MOST_REFUSED_OF = 50;
/** The party that is followed, and its accounts that each block changes: a message of about 1 kB. */
const PARTY = 1;
const ASSETS = [0, 1, 2, 3];
const KEPT = get('/api/v2/deposits?pagination.first=20');
const NONE: Spread = { p50: 0, p99: 0 };

interface Place {
  readonly bench: Bench;
  readonly server: BenchServer;
  readonly asking: OpenLoop;
  readonly databaseUrl: string;
}

export async function openSite(bench: Bench): Promise<Site> {
  const { url, readerUrl } = await bench.database();
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: readerUrl }));
  const place: Place = { bench, server, asking: opening.use(startOpenLoop()), databaseUrl: url };
  const stack = opening.move();
  const rest = phraseRest(bench.size.rows);
  const numbers = [...shuffled(bench.size.rows.deposits)];
  return {
    async take(load) {
      // No row is asked for twice, so that nothing kept answers.
      const rows = numbers.splice(0, load.rowsPerSecond * load.seconds);
      return takeLoad(
        place,
        load,
        rows.map((deposit) => rest({ deposit })),
      );
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function takeLoad(place: Place, load: Load, rows: readonly BenchRequest[]): Promise<Taken> {
  const { server, databaseUrl } = place;
  const { followers, blocksPerSecond } = load;
  const path = `/api/v2/stream/accounts?partyId=${idOf('party', PARTY)}`;
  await using streams = await startSubscribers({
    urls: new Array<string>(followers).fill(socketUrl(server.url, path)),
    graphql: null,
    beginning: 1,
  });
  await using writer = blocksPerSecond === 0 ? null : await startBlockWriter(databaseUrl);
  if (writer !== null) {
    // Its start is not counted.
    await writer.committed(writer.write(balanceEvents(0, PARTY, ASSETS)));
    await streams.receive(followers);
  }
  const before = readUsed(place, writer);
  const start = performance.now();
  const heights: number[] = [];
  const events = (height: number) => {
    heights.push(height);
    return balanceEvents(height, PARTY, ASSETS);
  };
  const pace = writer?.writeAtPace(blocksPerSecond, events);
  const answered = await ask(place, load, rows);
  pace?.[Symbol.dispose]();
  const { times } = await streams.receive(heights.length * followers);
  const after = readUsed(place, writer);
  const seconds = (performance.now() - start) / 1000;
  const committed = await Promise.all(heights.map((height) => writer?.committed(height) ?? 0n));
  await writer?.finish();
  const firsts = committed.map((at, block) => Number((times[block * followers] ?? at) - at));
  return {
    seconds,
    blockCount: heights.length,
    gatewayNs: after.gateway(before),
    databaseNs: after.database(before),
    writerNs: after.writer(before),
    ...answered,
    first: firsts.length === 0 ? NONE : spreadOf(firsts),
  };
}

/** Asks at steady rates for the seconds of a load. */
async function ask({ asking, server }: Place, load: Load, rows: readonly BenchRequest[]) {
  const kinds = [
    { name: 'kept', requests: [KEPT], perSecond: load.keptPerSecond, connections: CONNECTIONS },
    { name: 'rows', requests: rows, perSecond: load.rowsPerSecond, connections: CONNECTIONS },
  ];
  const traffic = kinds.filter(({ perSecond }) => perSecond > 0);
  const durationMs = load.seconds * 1000;
  if (traffic.length === 0) {
    await sleep(durationMs);
    return { keptCount: 0, rowCount: 0, kept: NONE, rows: NONE };
  }
  const figures = await asking.run({ url: server.url, settleMs: 0, durationMs, traffic });
  for (const { name, good, statuses, lost } of figures.values()) {
    const asked = Object.values(statuses).reduce((sum, { count }) => sum + count, lost);
    if (load.mayBeRefused !== true && asked - good.count > asked / MOST_REFUSED_OF)
      throw new Error(
        `Of ${asked} ${name} ${good.count} were answered: this machine has too much other work to hold a model to.`,
      );
  }
  const of = (name: string) => figures.get(name)?.good;
  const spread = (name: string): Spread => {
    const { p50 = 0, p99 = 0 } = of(name) ?? {};
    return { p50: p50 * 1e6, p99: p99 * 1e6 };
  };
  return {
    keptCount: of('kept')?.count ?? 0,
    rowCount: of('rows')?.count ?? 0,
    kept: spread('kept'),
    rows: spread('rows'),
  };
}

/** What the gateway, PostgreSQL for it, and the writer with PostgreSQL for it have used so far. */
function readUsed({ bench, server }: Place, writer: BlockWriter | null) {
  const used = {
    gateway: readServerCpu(server.pid),
    database: readBackendCpu(bench.postgres.pid, READER),
    writer: new Map([
      ...(writer === null ? [] : readServerCpu(writer.pid)),
      ...readBackendCpu(bench.postgres.pid, OWNER),
    ]),
  };
  const since = (name: keyof typeof used) => (before: { readonly used: typeof used }) =>
    cpuBetween(before.used[name], used[name]) * 1e9;
  return { used, gateway: since('gateway'), database: since('database'), writer: since('writer') };
}

function spreadOf(values: readonly number[]): Spread {
  const all = sorted(values);
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) };
}

/** Some of the same load as one: sums, and the medians of what has no sum. */
export function pool(taken: readonly Taken[]): Taken {
  const sum = (name: Exclude<keyof Taken, 'kept' | 'rows' | 'first'>) =>
    taken.reduce((all, one) => all + one[name], 0);
  const middle = (name: 'kept' | 'rows' | 'first'): Spread => ({
    p50: median(taken.map((one) => one[name].p50)),
    p99: median(taken.map((one) => one[name].p99)),
  });
  return {
    ...{ seconds: sum('seconds'), keptCount: sum('keptCount'), rowCount: sum('rowCount') },
    ...{ blockCount: sum('blockCount'), gatewayNs: sum('gatewayNs'), databaseNs: sum('databaseNs') },
    ...{ writerNs: sum('writerNs'), kept: middle('kept'), rows: middle('rows'), first: middle('first') },
  };
}
