import fc from 'fast-check';
import { type ExecutionResult, parse, validate } from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/client.ts';
import { createContext, type GatewayContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { prepareOperation, type RunResult } from '../../src/operations/prepared.ts';
import type { Tables } from '../graphql/simulated-lists.ts';
import { HANG_MS } from '../support/limits.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { type RandomOperation, randomOperations } from './random-operations.ts';

/** Queries ask for none. */
const NO_FEED = null as never;
const TABLES = [
  'parties',
  'assets',
  'markets',
  'market_data',
  'accounts',
  'deposits',
  'rewards',
  'proposals',
  'votes',
  'margin_levels',
];
const RUNS = 300;
/** Every character that JSON can escape, and some that it leaves alone. */
const ODD = `"\\/<>&' ${Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('')}\u007f\u0080\u2028\u2029\ufeff\uffff\u{10348}é`;

let simulated: SimulatedDatabase;
let database: Database;
let tables: Tables;

beforeAll(async () => {
  simulated = await createSimulatedDatabase({ seed: 5, blocks: 90, parties: 12, markets: 3 });
  await writeOddTexts(simulated.url);
  database = openDatabase({ url: simulated.url, readOnly: true });
  const rows: Record<string, Tables[string]> = {};
  for (const name of TABLES) rows[name] = await simulated.readTable(name);
  tables = rows;
});

afterAll(async () => {
  await database?.close();
  await simulated?.[Symbol.asyncDispose]();
});

test('an answer as text is what graphql-js would say, byte for byte, and depends on the same', async () => {
  let texts = 0;
  await fc.assert(
    fc.asyncProperty(randomOperations(tables), async (operation) => {
      // Fragments on several types of nodes can contradict each other.
      fc.pre(validate(schema, parse(operation.text)).length === 0);
      const [written, resolved] = [await run(operation, true), await run(operation, false)];
      expect(bytesOf(written.answer)).toBe(bytesOf(resolved.answer));
      expect(touchesOf(written.context)).toEqual(touchesOf(resolved.context));
      if (written.answer.kind === 'text') texts += 1;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(texts).toBeGreaterThan(RUNS / 2);
});

async function run({ text, variables }: RandomOperation, asText: boolean) {
  const context = createContext({ ...database, feed: NO_FEED });
  const answer = await prepareOperation(parse(text), null, { asText }).run(variables, context);
  return { answer, context };
}

/** The body of an answer; its errors have no order of their own. */
function bytesOf(answer: RunResult): string {
  if (answer.kind === 'text') return `{"data":${answer.data}}`;
  const { data, errors } = answer.result as ExecutionResult;
  if (errors === undefined) return `{"data":${JSON.stringify(data)}}`;
  return JSON.stringify({ data, errors: errors.map((error) => JSON.stringify(error)).sort() });
}

function touchesOf({ reads }: GatewayContext): readonly number[] | undefined {
  return reads.touches()?.toSorted((a, b) => a - b);
}

/** Puts texts that are trouble elsewhere wherever the network can put any. */
async function writeOddTexts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: HANG_MS });
  await client.connect();
  const odd = [ODD];
  await client.query('UPDATE deposits SET tx_hash = $1 || tx_hash WHERE created_position % 3 = 0', odd);
  await client.query('UPDATE deposits SET id = $1 || id WHERE created_position % 5 = 0', odd);
  await client.query('UPDATE assets SET name = $1, symbol = $1', odd);
  await client.query(
    "UPDATE markets SET tags = ARRAY[$1, '', 'a b', 'NULL', '{}'], instrument_name = $1",
    odd,
  );
  await client.query(
    'UPDATE proposals SET reference = $1, error_details = $1 WHERE created_position % 2 = 0',
    odd,
  );
  await client.query('UPDATE rewards SET reward_type = $1 WHERE created_position % 2 = 0', odd);
  await client.query(
    `UPDATE market_data SET liquidity_provider_fee_share =
      jsonb_build_array(jsonb_build_object('party', $1::text, 'equityLikeShare', '1', 'averageEntryValuation', '2', 'averageScore', '3'))`,
    odd,
  );
  await client.end();
}
