import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { BLOCK_CHANNEL } from '../../../src/data/servers/connect.ts';
import { CHAIN } from '../database/fill.ts';

/** A line of JSON without its envelope: what an event is of, and what it says. */
export type Event = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** Applies blocks to a database by `ingest ndjson -`, the program's own ingest. */
export interface BlockWriter extends AsyncDisposable {
  readonly pid: number;
  /** The height of the newest block before the first of these. */
  readonly height: number;
  /** Hands in a block, and gives its height. */
  write(events: readonly Event[]): number;
  /** Hands in blocks at a pace until `stop` is called. */
  writeAtPace(perSecond: number, events: (height: number) => readonly Event[]): Disposable;
  /** Waits until a block is committed, and says when the news of it came: nanoseconds of this machine's clock. */
  committed(height: number): Promise<bigint>;
  /** Ends the input, and waits until everything is applied. */
  finish(): Promise<void>;
}

const COMMIT_LIMIT_MS = 120_000;

export async function startBlockWriter(databaseUrl: string): Promise<BlockWriter> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ height: string; timestamp: string }>(
    'SELECT height, timestamp FROM blocks ORDER BY height DESC LIMIT 1',
  );
  const [last] = rows;
  if (last === undefined)
    throw new Error('The writer goes on where a database stands, and this one has no block.');
  const news = new Map<number, bigint>();
  client.on('notification', ({ payload }) => news.set(Number(payload), process.hrtime.bigint()));
  await client.query(`LISTEN ${BLOCK_CHANNEL}`);

  const program = spawn(
    process.env['BENCH_NODE'] ?? process.execPath,
    [join('dist', 'bundle', 'cli.js'), 'ingest', 'ndjson', '-'],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: databaseUrl },
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let said = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  program.stdin.on('error', () => {}); // What it says when it ends tells more.
  const ended = once(program, 'exit');

  const before = Number(last.height);
  let height = before;
  const line = (event: Event) => `${JSON.stringify(event)}\n`;
  /** A block ends where the next one begins, so that its line is sent at once. */
  const begin = (next: number) => {
    const timestamp = BigInt(last.timestamp) + BigInt(next - before) * 1_000_000_000n;
    return line({
      type: 'block',
      data: { height: `${next}`, timestamp: `${timestamp}`, hash: `bench ${next}` },
    });
  };
  program.stdin.write(line({ type: 'network', data: { chainId: CHAIN } }) + begin(height + 1));

  const write = (events: readonly Event[]) => {
    height += 1;
    program.stdin.write(events.map(line).join('') + begin(height + 1));
    return height;
  };
  const finish = async () => {
    program.stdin.end();
    const [code] = await ended;
    await client.end();
    if (code !== 0) throw new Error(`The ingest of blocks failed: ${said}`);
  };
  return {
    pid: program.pid as number,
    height: before,
    write,
    writeAtPace(perSecond, events) {
      const timer = setInterval(() => write(events(height + 1)), 1000 / perSecond);
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
    async committed(wanted) {
      const end = Date.now() + COMMIT_LIMIT_MS;
      for (;;) {
        const at = news.get(wanted);
        if (at !== undefined) return at;
        if (program.exitCode !== null || Date.now() > end)
          throw new Error(`Block ${wanted} was not applied: ${said}`);
        await sleep(2);
      }
    },
    finish,
    async [Symbol.asyncDispose]() {
      if (program.exitCode !== null) return;
      program.kill('SIGTERM');
      await ended;
      await client.end();
    },
  };
}
