import { setTimeout as sleep } from 'node:timers/promises';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource, type Pace } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import type { Random } from '../../src/simulation/random.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';
import { HANG_MS } from '../support/limits.ts';
import { type AccountStream, StreamError, transports, transportsFor } from './live-transports.ts';
import { Chain, Follower, type OracleFilter } from './oracle.ts';

/** A message may be this late: for a database that is started again meanwhile, too. */
const RETRY_MS = 200;

/** A simulated network, and what its accounts are at each of its blocks. */
export interface LiveNetwork {
  readonly options: SimulationOptions;
  readonly chain: Chain;
  /** Applies the simulated blocks up to a height. */
  write(url: string, upTo: number, pace: Pace): Promise<void>;
  /** Applies the last block, which every follower of any account waits for. */
  writeLast(url: string): Promise<void>;
}

export async function openNetwork(options: SimulationOptions): Promise<LiveNetwork> {
  const chain = await Chain.of(openSimulation(options));
  const last = chain.appendLast();
  const { chainId } = openSimulation(options);
  return {
    options,
    chain,
    write: (url, upTo, pace) => write(url, openSimulation({ ...options, blocks: upTo }), pace),
    writeLast: (url) => write(url, sourceOf(chainId, last), 'max'),
  };
}

async function write(url: string, source: EventSource, pace: Pace): Promise<void> {
  await using writer = await Writer.open(url);
  await applySource(source, writer, { pace, signal: new AbortController().signal });
}

function sourceOf(chainId: string, events: readonly NetworkEvent[]): EventSource {
  return {
    chainId,
    name: 'the last block',
    progress: () => ({ done: 0, total: null, unit: 'blocks' }),
    async *events() {
      for (const event of events) yield { event, at: 'the last block' };
    },
  };
}

/** Filters of all sorts: of everything, of one thing, of several, of what there is none of. */
export function chooseFilter(random: Random, { accounts }: Chain): OracleFilter {
  const most = random.pick([1, 1, 3]);
  const some = (chance: number, pick: (row: (typeof accounts)[number]) => string, limit = most) =>
    random.below(100) < chance
      ? Array.from({ length: random.between(1, limit) }, () => pick(random.pick(accounts)))
      : [];
  return {
    owners: random.oneIn(25) ? ['0'.repeat(64)] : some(60, ({ owner }) => owner),
    markets: some(25, ({ marketId }) => marketId),
    assets: some(20, ({ asset }) => asset, 1),
    types: some(25, ({ type }) => type),
  };
}

/** One client that follows accounts until its chain's last block, on one connection after another. */
interface StreamPlan {
  readonly filter: OracleFilter;
  /** When it begins. */
  readonly afterMs: number;
  /** Makes each connection, to go on after a cursor. */
  readonly open: (filter: OracleFilter, after: string | null) => Promise<AccountStream>;
  /** After how many messages the client leaves a connection. */
  readonly chooseLength: () => number;
  /** Whether a stream may end, or be refused, for this reason; it goes on from its cursor then. */
  readonly isExpected: (error: unknown) => boolean;
}

export interface Followed {
  readonly messages: number;
  readonly rows: number;
  readonly connections: number;
  /** The reasons that streams ended with, or were refused with. */
  readonly failures: readonly string[];
}

/** What is the same of many clients: where each asks for its next connection, when it begins, and what it goes through. */
export type ClientPlan = Omit<StreamPlan, 'filter' | 'open'> & { readonly url: () => string };

/**
 * Many clients with random filters, each of whose connections is on a transport of its own choice, among those that can
 * ask for the filter. What they came to is said, too.
 */
export async function followMany(
  count: number,
  random: Random,
  { chain }: Pick<LiveNetwork, 'chain'>,
  createPlan: () => ClientPlan,
): Promise<readonly Followed[]> {
  const streams = Array.from({ length: count }, () => {
    const { url, ...plan } = createPlan();
    const filter = chooseFilter(random, chain);
    const possible = transportsFor(filter);
    const open: StreamPlan['open'] = (_, after) => transports[random.pick(possible)](url(), filter, after);
    return followToEnd(chain, { ...plan, filter, open });
  });
  const followed = await Promise.all(streams);
  console.info(describeFollowed(followed));
  return followed;
}

/** Follows a stream to the last block, held to the chain at every message. `url` is asked for each connection. */
async function followToEnd(chain: Chain, plan: StreamPlan): Promise<Followed> {
  const { filter } = plan;
  await sleep(plan.afterMs);
  const follower = new Follower(chain, filter);
  const failures: string[] = [];
  let connections = 0;
  const isDone = () => follower.isAt(chain.height);
  while (!isDone()) {
    let stream: AccountStream | null = null;
    try {
      connections += 1;
      stream = await plan.open(filter, follower.cursor);
      for (let left = plan.chooseLength(); left > 0 && !isDone(); left--) {
        const step = await stream.next(HANG_MS);
        if (step === null) throw new Error('the stream ended without a reason');
        follower.take(step);
      }
    } catch (error) {
      if (!plan.isExpected(error)) throw error;
      failures.push(error instanceof StreamError ? String(error.code) : (error as Error).message);
      await sleep(RETRY_MS);
    } finally {
      stream?.close();
    }
  }
  return { ...follower.taken, connections, failures };
}

/** What came of many streams, for a person. */
function describeFollowed(followed: readonly Followed[]): string {
  const sum = (pick: (one: Followed) => number) => followed.reduce((total, one) => total + pick(one), 0);
  const counts: Record<string, number> = {};
  for (const reason of followed.flatMap(({ failures }) => failures))
    counts[reason] = (counts[reason] ?? 0) + 1;
  return (
    `${followed.length} streams on ${sum((f) => f.connections)} connections were told ` +
    `${sum((f) => f.rows)} rows in ${sum((f) => f.messages)} messages; ended early: ${JSON.stringify(counts)}`
  );
}
