import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench.ts';
import { ask } from '../database/bench-database.ts';
import { graphql, send } from '../load/request.ts';
import { measureRound } from '../load/rounds.ts';
import { summarize } from '../measure/figures.ts';
import { count, describeFigures, ms } from '../report/describe.ts';
import { startBlockWriter } from '../writer/block-writer.ts';
import { depositEvents } from '../writer/events.ts';

const BLOCKS_PER_SECOND = 10;
const PER_BLOCK = 10;
const CHECKS = 5;
const FOLLOW_LIMIT_MS = 10_000;
/** Longer than PostgreSQL's backends keep their counts of rows to themselves. */
const STATISTICS_MS = 1_500;

const COUNT = graphql('{ deposits(first: 1) { totalCount } }', {});
const COUNT_OF_BLOCK = graphql('{ block { height } deposits(first: 1) { totalCount } }', {});

export const totalCount: BenchCase = {
  name: 'total-count',
  title: 'totalCount of all deposits, exact, under writes',
  async run(bench) {
    const server = await bench.periscope();
    const { url } = await bench.database();
    const present = await countRows(url);
    await using writer = await startBlockWriter(url);
    const contender = { name: 'own', server, request: () => COUNT };
    const rounds = [];
    let read = 0;
    {
      using _pace = writer.writeAtPace(BLOCKS_PER_SECOND, (height) =>
        depositEvents(height, PER_BLOCK, bench.size.rows),
      );
      await writer.committed(writer.height + 1);
      for (let check = 0; check < CHECKS; check += 1) await checkCount(server.url, present, writer.height);
      const before = await readRows(url);
      // One at a time: how long an answer takes, not how many there are.
      for (let round = 0; round < bench.size.rounds; round += 1) {
        const how = { repeat: true, durationMs: bench.size.roundMs, connections: 1 };
        rounds.push(await measureRound(bench, contender, [0], how));
      }
      await sleep(STATISTICS_MS);
      read = (await readRows(url)) - before;
    }
    await writer.finish();
    await checkLastCount(server.url, await countRows(url));
    const figures = summarize(rounds);
    const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
    const common = {
      what: `${this.title} (${count(present)}; ${BLOCKS_PER_SECOND} blocks a second)`,
      figure: describeFigures(figures),
      beside: '',
      peerCpuUs: null,
      spread: figures.spread,
      note: '',
    };
    return [
      {
        id: this.name,
        ...common,
        value: figures.p50,
        unit: 'ms (p50)',
        target: { most: 10 },
        cpuUs: figures.cpuUs,
        note: `p99 ${ms(figures.p99)}`,
      },
      {
        id: `${this.name}/rows`,
        ...common,
        note: 'of deposits, or entries of their indexes, by one request',
        value: read / requests,
        unit: 'rows read',
        target: { most: 100 },
        cpuUs: null,
      },
    ];
  },
};

/** Throws where an answer counts less than there was at the block that it names, or more than that any later block can have. */
async function checkCount(url: string, present: number, firstHeight: number): Promise<void> {
  const { text } = await send(url, COUNT_OF_BLOCK);
  const { block, deposits } = JSON.parse(text).data;
  const least = present + (Number(block.height) - firstHeight) * PER_BLOCK;
  const excess = deposits.totalCount - least;
  // What is counted may be of a newer block than the one that is named, by as many as are made in a second.
  if (excess < 0 || excess % PER_BLOCK !== 0 || excess > PER_BLOCK * BLOCKS_PER_SECOND) {
    throw new Error(
      `totalCount is ${deposits.totalCount} at block ${block.height}, which has ${least} deposits.`,
    );
  }
}

/** Throws unless the count comes to be that of the rows, now that nothing is added. */
async function checkLastCount(url: string, rows: number): Promise<void> {
  const end = Date.now() + FOLLOW_LIMIT_MS;
  for (;;) {
    const counted = JSON.parse((await send(url, COUNT)).text).data.deposits.totalCount;
    if (counted === rows) return;
    if (Date.now() > end) throw new Error(`totalCount is ${counted}, and there are ${rows} deposits.`);
    await sleep(10);
  }
}

async function countRows(url: string): Promise<number> {
  const [row] = await ask<{ count: string }>(url, 'SELECT count(*) FROM deposits');
  return Number(row?.count);
}

/** What PostgreSQL has read of the deposits so far, rows and entries of their indexes. */
async function readRows(url: string): Promise<number> {
  const [row] = await ask<{ read: string }>(
    url,
    `SELECT (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'deposits')
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'deposits') AS read`,
  );
  return Number(row?.read);
}
