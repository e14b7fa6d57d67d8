import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { createTestDatabase } from '../support/database.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { chooseRandom } from '../support/seed.ts';
import { heightIn, readHeight, readState, type State, withClient } from '../support/state.ts';

const KILLS = 100;
/** Databases that are killed into at the same time: one for each core that the tests have. */
const LANES = 2;
/** A kill comes soon after so many blocks more at the most, so that one network takes several kills to come in. */
const BLOCKS_BETWEEN = 15;
/** As long as a few blocks take, so that a kill comes anywhere within one. */
const MOMENT_MS = 20;
/** For what hangs, not for what is slow. */
const LIMIT_MS = 1_200_000;

vi.setConfig({ hookTimeout: LIMIT_MS });

const NETWORK = { seed: 5, blocks: 80, parties: 4, markets: 1 };

const random = chooseRandom('kill');

let wanted: State;
let undisturbedMs: number;

beforeAll(async () => {
  await using database = await createTestDatabase();
  await using child = await prepare(database.url);
  const begin = performance.now();
  await child.finish();
  undisturbedMs = performance.now() - begin;
  wanted = await readState(database.url);
  console.info(`an undisturbed run takes ${undisturbedMs.toFixed(0)} ms`);
});

test(`${KILLS} kills of ingest at random moments end in the state of an undisturbed run`, {
  timeout: LIMIT_MS,
}, async () => {
  const tally = { kills: 0, applying: 0, before: 0, after: 0, rounds: 0, aborted: 0 };
  await Promise.all(Array.from({ length: LANES }, () => killInRounds(tally)));
  const { kills, applying, before, after, rounds, aborted } = tally;
  console.info(
    `${kills} kills in ${rounds} rounds: ${applying} after blocks had been applied, ${before} before the first, ` +
      `${after} after the last; ${aborted} cut a transaction off`,
  );
});

type Tally = Record<'kills' | 'applying' | 'before' | 'after' | 'rounds' | 'aborted', number>;

/** So many kills, and a good part of them where they matter. */
function isEnough({ kills, applying }: Tally): boolean {
  return kills >= KILLS && applying >= KILLS / 4;
}

/** Each round is a database that ingest is killed into, again and again, until the whole network is in it. */
async function killInRounds(tally: Tally): Promise<void> {
  while (!isEnough(tally)) {
    await using database = await createTestDatabase();
    const aborts = await countAborts(database.url);
    let height = 0;
    let next = prepare(database.url);
    while (height < NETWORK.blocks && !isEnough(tally)) {
      await using child = await next;
      next = prepare(database.url);
      const reached = await withClient(database.url, (client) => killSoon(child, client, height));
      if (reached === null) break;
      tally.kills += 1;
      if (reached === height) tally.before += 1;
      else if (reached === NETWORK.blocks) tally.after += 1;
      else tally.applying += 1;
      height = reached;
    }
    await using last = await next;
    await last.finish();
    expect(await readState(database.url)).toEqual(wanted);
    tally.rounds += 1;
    tally.aborted += (await countAborts(database.url)) - aborts;
  }
}

/**
 * Kills an ingest at a random moment of its start, or some blocks behind a height: blocks and not milliseconds, of which
 * a busy machine takes more to start than a whole run took before. Gives the height that it came to; null when it had
 * ended before.
 */
async function killSoon(child: PreparedIngest, client: Client, height: number): Promise<number | null> {
  child.begin();
  if (random.oneIn(4)) {
    await child.endsWithin((random.below(1000) / 1000) * undisturbedMs);
  } else {
    const wanted = Math.min(height + 1 + random.below(BLOCKS_BETWEEN), NETWORK.blocks);
    while ((await heightIn(client)) < wanted && !(await child.endsWithin(2)));
    await child.endsWithin(random.below(MOMENT_MS));
  }
  return (await child.kill()) ? await heightIn(client) : null;
}

/** How many transactions the server had to undo: only a kill ends one so. */
async function countAborts(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.count);
  });
}

interface PreparedIngest extends AsyncDisposable {
  begin(): void;
  /** Waits so many milliseconds at the longest; tells whether it has ended. */
  endsWithin(ms: number): Promise<boolean>;
  /** False when it had come to its end before. */
  kill(): Promise<boolean>;
  /** Begins and lets it come to its end. */
  finish(): Promise<void>;
}

/** A process that has loaded the program and waits to begin. */
async function prepare(url: string): Promise<PreparedIngest> {
  const script = resolve('test/ingest/ingest-when-told.mjs');
  const child = fork(script, [resolve('dist'), url, JSON.stringify(NETWORK)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([once(child, 'message'), ended]);
  return {
    begin: () => void child.send('begin'),
    endsWithin: (ms) => Promise.race([sleep(ms, false), ended.then(() => true)]),
    async kill() {
      child.kill('SIGKILL');
      const [code, signal] = await ended;
      if (signal === null && code !== 0) throw new Error(`ingest failed by itself: ${said}`);
      return signal === 'SIGKILL';
    },
    async finish() {
      child.send('begin');
      expect(await ended, said).toEqual([0, null]);
    },
    [Symbol.asyncDispose]: () => dispose(child, ended),
  };
}

async function dispose(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

describe('with an embedded database', () => {
  const SIMULATE = [
    'ingest',
    'simulate',
    ...Object.entries(NETWORK).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  ];
  /** Slow enough that there is something left to kill, on a machine whose starts take now longer and now shorter too. */
  const at = (pace: number) => [...SIMULATE, '--pace', `${pace}`];
  let root: string;
  let dataDir: string;
  let startMs: number;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'periscope-kill-'));
    await chmod(root, 0o755);
    dataDir = join(root, 'data');
    // Made before, so that the kills hit the ingest, and timed for the same end.
    await (await openPostgres({ dataDir })).close();
    const begin = performance.now();
    expect((await runProgram([...SIMULATE, '--blocks', '0'], { DATA_DIR: dataDir })).code).toBe(0);
    startMs = performance.now() - begin;
  });

  afterAll(async () => {
    await (await openPostgres({ dataDir })).close();
    await rm(root, { recursive: true, force: true });
  });

  test('kills of the program, of a server process and of the whole server end in the same state', {
    timeout: LIMIT_MS,
  }, async () => {
    const heights: number[] = [];

    for (let kills = 0; kills < 4; kills++) {
      await using program = startProgram(at(2), { DATA_DIR: dataDir });
      await sleep(startMs + random.below(400));
      program.process.kill('SIGKILL');
      expect((await program.ended).signal).toBe('SIGKILL');
    }
    heights.push(await heightOf(dataDir));

    for (const victim of Object.keys(VICTIMS) as (keyof typeof VICTIMS)[]) {
      await using program = startProgram(at(3), { DATA_DIR: dataDir });
      const reached = await killWithin(dataDir, victim, (heights.at(-1) as number) + 5);
      const { code, stderr } = await program.ended;
      expect(stderr).toMatch(
        /^periscope: The database cannot be reached, or was lost: .*All blocks applied so far are kept\.$/m,
      );
      expect(code).toBe(1);
      heights.push(reached);
    }

    console.info(
      `the embedded database was killed into at the blocks ${heights.join(', ')} of ${NETWORK.blocks}`,
    );
    expect(heights.at(-1)).toBeLessThan(NETWORK.blocks);
    const { code, stderr } = await runProgram(SIMULATE, { DATA_DIR: dataDir });
    expect(stderr).toMatch(
      new RegExp(
        `^Applied \\d+ blocks? .*; \\d+ blocks were there already; the database is at block ${NETWORK.blocks} `,
        'm',
      ),
    );
    expect(code).toBe(0);
    await using postgres = await openPostgres({ dataDir });
    expect(await readState(postgres.url)).toEqual(wanted);
  });

  async function heightOf(folder: string): Promise<number> {
    await using postgres = await openPostgres({ dataDir: folder });
    return await readHeight(postgres.url);
  }
});

/** The queries that name a process of the server. */
const VICTIMS = {
  'the server process of the writer':
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'periscope writer'",
  'the whole server': "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
};

/** Waits until a height is reached, then kills a process of the server; returns the height that it saw last. */
async function killWithin(dataDir: string, victim: keyof typeof VICTIMS, height: number): Promise<number> {
  await using postgres = await openPostgres({ dataDir });
  const { url } = postgres;
  await expect
    .poll(() => readHeight(url), { timeout: LIMIT_MS, interval: 10 })
    .toBeGreaterThanOrEqual(height);
  const reached = await readHeight(url);
  const { rows } = await withClient(url, (client) => client.query<{ pid: number }>(VICTIMS[victim]));
  if (rows[0] === undefined) throw new Error(`${victim} is not there`);
  process.kill(rows[0].pid, 'SIGKILL');
  return reached;
}
