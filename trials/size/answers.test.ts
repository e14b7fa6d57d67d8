import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { rankAccounts } from '../../src/data/history/ranks.ts';
import { DisposableStack } from '../../src/disposable-stack.ts';
import { createDisposableDatabase } from '../../test/support/database.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { withClient } from '../bench/database/bench-database.ts';
import { fillPast } from '../bench/database/fill-past.ts';
import { type BenchRequest, send } from '../bench/load/request.ts';
import { quantile, sorted } from '../bench/measure/figures.ts';
import { startPeriscope } from '../bench/servers/start-server.ts';
import { coolDown, databaseFolder, keepDatabase } from './databases.ts';
import { QUESTIONS, type Question } from './questions.ts';
import { type Sizes, shareOut } from './sizes.ts';

// What an answer takes where the database is large: the same questions of one of so many rows and of one of a million, in turns; warm, of
// rows that were read before, any, of rows that only the small one has in memory, and cold, where both read from the disk.
// By itself this fills both once, and measures in them: npm run size-answers.
const ROWS = Number(process.env['SIZE_ROWS'] ?? 0);
const SMALL_ROWS = 1_000_000;
const TIMES = Number(process.env['SIZE_TIMES'] ?? 200);
const FIRST = 20;
const FEW = 1_000;
const HOURS_MS = 4 * 3_600_000;

test('no request is asked twice: an answer that was kept would be compared', () => {
  const sizes = shareOut(SMALL_ROWS);
  for (const question of QUESTIONS)
    for (const isWarm of [false, true]) {
      const asked = numbersOf(isWarm, 100 * SMALL_ROWS).flatMap((number) =>
        [FIRST, FIRST + 1].map((first) => JSON.stringify(question.request(number, first, sizes))),
      );
      expect(new Set(asked).size, question.name).toBe(asked.length);
    }
});

test('every question has an answer with rows, in a database of any size', async () => {
  const sizes = shareOut(20_000);
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    await fillPast(client, sizes.rows, sizes.past);
    await rankAccounts(client);
  });
  await using gateway = await startTestGateway(database.url);
  for (const question of QUESTIONS)
    for (const number of [0, 1, 7_919]) {
      const { body } = await ask(gateway.url, question.request(number, FIRST, sizes));
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

  test(`${ROWS} rows are asked, which neither has in memory`, { timeout: HOURS_MS }, async () => {
    for (const question of QUESTIONS) {
      for (const rows of [SMALL_ROWS, ROWS]) await coolDown(folderOf(rows));
      await using small = await openKept(SMALL_ROWS);
      await using large = await openKept(ROWS);
      say(`${question.name} | cold: ${describePair(await compare(question, [small, large], false))}`);
    }
  });
});

interface Kept extends AsyncDisposable {
  readonly sizes: Sizes;
  readonly url: string;
}

/** A database of so many rows, which is filled unless it is there, and a gateway that serves it. */
async function openKept(rows: number): Promise<Kept> {
  const sizes = shareOut(rows);
  const dataDir = folderOf(rows);
  await keepDatabase(dataDir, (client) => fillPast(client, sizes.rows, sizes.past), say);
  const opened = new DisposableStack();
  try {
    const postgres = opened.use(await openPostgres({ dataDir }));
    const server = opened.use(await startPeriscope({ DATABASE_URL: postgres.url }));
    return { sizes, url: server.url, [Symbol.asyncDispose]: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function folderOf(rows: number): string {
  return databaseFolder(`answers-${rows}`);
}

/** Milliseconds of each answer, by the order of the databases. */
type Pair = readonly [small: readonly number[], large: readonly number[]];

/** Asks both the same in turns, one at a time: of few rows, which have been read once before, or of any. */
async function compare(question: Question, databases: readonly [Kept, Kept], isWarm: boolean): Promise<Pair> {
  const times: [number[], number[]] = [[], []];
  const numbers = numbersOf(isWarm, ROWS);
  const askFor = ({ url, sizes }: Kept, number: number, first: number) =>
    ask(url, question.request(number, first, sizes));
  if (isWarm) for (const number of numbers) for (const one of databases) await askFor(one, number, FIRST + 1);
  for (const number of numbers)
    for (const [place, one] of databases.entries()) times[place]?.push((await askFor(one, number, FIRST)).ms);
  return times;
}

/** Of few rows, or of any of so many, which lie all over them: a step of few millions would ask the oldest alone. */
function numbersOf(isWarm: boolean, rows: number): readonly number[] {
  return Array.from(
    { length: TIMES },
    (_, index) => (index * (isWarm ? 7919 : 2_654_435_761)) % (isWarm ? FEW : rows),
  );
}

function describePair([small, large]: Pair): string {
  const [one, other] = [sorted(small), sorted(large)];
  const at = (part: number) => `${quantile(one, part).toFixed(2)} to ${quantile(other, part).toFixed(2)} ms`;
  return `p50 ${at(0.5)} (${(quantile(other, 0.5) / quantile(one, 0.5)).toFixed(2)} x), p99 ${at(0.99)}`;
}

/** Asks a gateway. Throws where the answer is an error. */
async function ask(
  url: string,
  request: BenchRequest,
): Promise<{ readonly ms: number; readonly body: string }> {
  const start = performance.now();
  const { text: body } = await send(url, request);
  const ms = performance.now() - start;
  if (body.includes('"errors":[')) throw new Error(`${JSON.stringify(request)} gives ${body}`);
  return { ms, body };
}

/** How many rows, or what count, an answer has. */
function countRows(body: string): number {
  const counted = /^\{"data":\{"\w+":\{"as\w+":(\d+)\}\}\}$/.exec(body);
  return counted === null
    ? body.split(/"node":\{|"key":\{|"amount":|"balance":/).length - 1
    : Number(counted[1]);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
