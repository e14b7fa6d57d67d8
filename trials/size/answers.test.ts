import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { rankAccounts } from '../../src/data/history/ranks.ts';
import { DisposableStack } from '../../src/disposable-stack.ts';
import { createDisposableDatabase } from '../../test/support/database.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { withClient } from '../bench/database/bench-database.ts';
import { fillPast } from '../bench/database/fill-past.ts';
import type { BenchRequest } from '../bench/load/request.ts';
import { quantile, sorted } from '../bench/measure/figures.ts';
import { startPeriscope } from '../bench/servers/start-server.ts';
import { databaseFolder, keepDatabase } from './databases.ts';
import { QUESTIONS, type Question } from './questions.ts';
import { type Sizes, shareOut } from './sizes.ts';

// What an answer takes where the database is large: the same questions of one of so many rows and of one of a million, in turns.
// By itself this fills both once, and measures in them: npm run size-answers.
const ROWS = Number(process.env['SIZE_ROWS'] ?? 0);
const SMALL_ROWS = 1_000_000;
const TIMES = Number(process.env['SIZE_TIMES'] ?? 200);
const FIRST = 20;
const FEW = 1_000;
const HOURS_MS = 4 * 3_600_000;
const LIMIT_MS = 60_000;

test('every question has an answer with rows, in a database of any size', async () => {
  const sizes = shareOut(20_000);
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    await fillPast(client, sizes.rows, sizes.past);
    await rankAccounts(client);
  });
  await using gateway = await startTestGateway(database.url);
  using asker = new Asker(gateway.url);
  for (const question of QUESTIONS)
    for (const number of [0, 1, 7_919]) {
      const { body } = await asker.ask(question.request(number, FIRST, sizes));
      expect(countRows(body), `${question.name}: ${body}`).toBeGreaterThan(0);
    }
});

describe.runIf(ROWS > 0)(`beside ${SMALL_ROWS} rows`, () => {
  test(`${ROWS} rows are asked`, { timeout: HOURS_MS }, async () => {
    await using small = await openKept(SMALL_ROWS);
    await using large = await openKept(ROWS);
    for (const question of QUESTIONS) {
      const databases = [small, large] as const;
      const [warm, any] = [
        await compare(question, databases, true),
        await compare(question, databases, false),
      ];
      say(`${question.name} | warm: ${describePair(warm)} | any: ${describePair(any)}`);
    }
  });
});

interface Kept extends AsyncDisposable {
  readonly sizes: Sizes;
  readonly asker: Asker;
}

/** A database of so many rows, which is filled unless it is there, and a gateway that serves it. */
async function openKept(rows: number): Promise<Kept> {
  const sizes = shareOut(rows);
  const dataDir = databaseFolder(`answers-${rows}`);
  await keepDatabase(dataDir, (client) => fillPast(client, sizes.rows, sizes.past), say);
  const opened = new DisposableStack();
  try {
    const postgres = opened.use(await openPostgres({ dataDir }));
    const server = opened.use(await startPeriscope({ DATABASE_URL: postgres.url }));
    const asker = new Asker(server.url);
    opened.defer(async () => asker[Symbol.dispose]());
    return { sizes, asker, [Symbol.asyncDispose]: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Milliseconds of each answer, by the order of the databases. */
type Pair = readonly [small: readonly number[], large: readonly number[]];

/** Asks both the same in turns, one at a time: of few rows, which have been read once before, or of any. */
async function compare(question: Question, databases: readonly [Kept, Kept], isWarm: boolean): Promise<Pair> {
  const times: [number[], number[]] = [[], []];
  const numbers = Array.from({ length: TIMES }, (_, index) => (index * 7919) % (isWarm ? FEW : ROWS));
  const ask = ({ asker, sizes }: Kept, number: number, first: number) =>
    asker.ask(question.request(number, first, sizes));
  if (isWarm) for (const number of numbers) for (const one of databases) await ask(one, number, FIRST + 1);
  for (const number of numbers)
    for (const [place, one] of databases.entries()) times[place]?.push((await ask(one, number, FIRST)).ms);
  return times;
}

function describePair([small, large]: Pair): string {
  const [one, other] = [sorted(small), sorted(large)];
  const at = (part: number) => `${quantile(one, part).toFixed(2)} to ${quantile(other, part).toFixed(2)} ms`;
  return `p50 ${at(0.5)} (${(quantile(other, 0.5) / quantile(one, 0.5)).toFixed(2)} x), p99 ${at(0.99)}`;
}

/** Asks a gateway over one connection, one question at a time. */
class Asker implements Disposable {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws where the answer is an error. */
  async ask({
    path,
    body,
    headers = {},
  }: BenchRequest): Promise<{ readonly ms: number; readonly body: string }> {
    const start = performance.now();
    const sent = send(`${this.#url}${path}`, {
      agent: this.#agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, 'response', { signal: AbortSignal.timeout(LIMIT_MS) })) as [
      IncomingMessage,
    ];
    const given = await text(answer);
    const ms = performance.now() - start;
    if (answer.statusCode !== 200 || given.includes('"errors":['))
      throw new Error(`${path} ${JSON.stringify(body)} gives ${given}`);
    return { ms, body: given };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** How many rows, or what count, an answer has. */
function countRows(body: string): number {
  const counted = /"totalCount":(\d+)/.exec(body);
  return counted === null
    ? body.split(/"node":\{|"key":\{|"amount":|"balance":/).length - 1
    : Number(counted[1]);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
