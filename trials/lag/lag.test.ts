import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import {
  type CoreProgram,
  reachHeight,
  startCoreProgram,
  startIngestProgram,
} from '../../test/ingest/core-network.ts';
import { CoreNode, frame } from '../../test/ingest/core-node.ts';
import { makeBlocks } from '../../test/ingest/network-blocks.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { createFolder } from '../../test/support/events.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { NATS_SERVER, NatsServers } from '../../test/support/nats-servers.ts';
import { startProgram } from '../../test/support/program.ts';

// How much later a region has a block through a log of three servers than through a socket, from the core's sending to the
// database's commit, both at once. By itself this goes on for longer, and holds the time: npm run lag.
const BLOCKS = Number(process.env['LAG_BLOCKS'] ?? 30);
const isWhole = process.env['LAG_BLOCKS'] !== undefined;
const BLOCK_MS = 100;
const MOST_LAG_MS = 250;
const WARM_UP = 5;
/** As many events as mainnet has in a block. */
const MADE = { accounts: 40, others: 20 } as const;

test.skipIf(NATS_SERVER === undefined)(
  `a region has each of ${BLOCKS} blocks soon after one that needs no log`,
  async () => {
    await using servers = await NatsServers.start(3);
    await using direct = await createTestDatabase();
    await using region = await createTestDatabase();
    await using spools = await createFolder();
    const folders = [`${await spools.write('')}-one`, `${await spools.write('')}-other`];
    await using socket = await startIngestProgram(direct.url, folders[0] ?? '');
    const relayed = ['relay', '--from', 'tcp://127.0.0.1:0', '--to', servers.url, '--replicas', '3'];
    await using relay = await startCoreProgram(relayed, { SPOOL_DIR: folders[1] ?? '' });
    await using _ingest = startProgram(['ingest', 'jetstream', servers.url], { DATABASE_URL: region.url });
    await using cores = await dialBoth(socket, relay);
    await using byLog = await watchBlocks(region.url);
    await using bySocket = await watchBlocks(direct.url);

    const sentAt = new Map<number, number>();
    for (const { height, events } of makeBlocks(1, WARM_UP + BLOCKS, MADE)) {
      const bytes = frame(events);
      sentAt.set(height, performance.now());
      await Promise.all(cores.nodes.map((core) => core.sendBytes(bytes)));
      await sleep(BLOCK_MS);
      // The first blocks find the log's leader, and prepare statements.
      if (height === WARM_UP) await Promise.all([region, direct].map(({ url }) => reachHeight(url, height)));
    }
    await Promise.all([region, direct].map(({ url }) => reachHeight(url, WARM_UP + BLOCKS)));
    await sleep(BLOCK_MS);
    const lags = [byLog, bySocket].map(({ seenAt }) =>
      [...sentAt]
        .filter(([height]) => height > WARM_UP)
        .map(([height, at]) => (seenAt.get(height) ?? Number.NaN) - at),
    ) as [number[], number[]];
    const [log, plain] = lags;
    const beyond = log.map((ms, index) => ms - (plain[index] ?? Number.NaN));
    console.log(
      `sent to committed, in ms: through the log ${describe(log)}; through the socket ${describe(plain)}; beyond it ${describe(beyond)}`,
    );
    expect(log.every(Number.isFinite)).toBe(true);
    expect(plain.every(Number.isFinite)).toBe(true);
    if (isWhole) expect(percentile(log, 0.99) - percentile(plain, 0.99)).toBeLessThan(MOST_LAG_MS);
  },
  HANG_MS + 2 * BLOCKS * BLOCK_MS,
);

async function dialBoth(...programs: readonly CoreProgram[]) {
  const nodes = await Promise.all(programs.map(({ url }) => CoreNode.dial(url)));
  await Promise.all(nodes.map((node) => node.greeted()));
  return {
    nodes,
    [Symbol.asyncDispose]: async () => {
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
  };
}

/** When each block is heard of, as a gateway hears of it. */
async function watchBlocks(url: string) {
  const client = new pg.Client({ connectionString: url });
  const seenAt = new Map<number, number>();
  client.on('notification', ({ payload }) => seenAt.set(Number(payload), performance.now()));
  await client.connect();
  await client.query('LISTEN periscope_block');
  return { seenAt, [Symbol.asyncDispose]: () => client.end() };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

function describe(values: readonly number[]): string {
  return [0.5, 0.9, 0.99, 1].map((part) => `p${part * 100} ${percentile(values, part).toFixed(1)}`).join(' ');
}
