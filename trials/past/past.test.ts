import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { schema } from '../../src/graphql/index.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { type ExecutorData, soundNetworks } from '../../test/engine/executor-data.ts';
import { bytesOf, runBy } from '../../test/engine/executors.ts';
import { pastQuestions } from '../../test/engine/random-operations.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { toPresent, withoutBlock } from '../../test/support/past-texts.ts';
import { seed } from '../../test/support/seed.ts';
import { readHeight, withClient } from '../../test/support/state.ts';

// Whatever is asked as of a block is what is said where the ingest was stopped there. By itself this goes on for as many blocks
// as are wanted: npm run past.
const BLOCKS = Number(process.env['PAST_TRIAL_BLOCKS'] ?? 8);
const QUESTIONS = 10;
const TIME_MS = 300_000 + BLOCKS * 10_000;
const isWhole = process.env['PAST_TRIAL_BLOCKS'] !== undefined;
/** A simulated one and the first that is recorded, and others with each seed, unless all are wanted. */
const networks = isWhole
  ? soundNetworks
  : soundNetworks.filter(
      (_, index) => index === 0 || index === 2 || (index > 2 && (index + seed) % 20 === 0),
    );
const share = Math.ceil(BLOCKS / networks.length);

describe.each(networks)('the network is $name:', ({ open, openSource }) => {
  let whole: ExecutorData;
  let stored: TestDatabase;
  let writer: Writer;

  beforeAll(async () => {
    whole = await open();
    stored = await createTestDatabase();
    writer = await Writer.open(stored.url);
  });

  afterAll(async () => {
    await writer?.close();
    await stored?.[Symbol.asyncDispose]();
    await whole?.[Symbol.asyncDispose]();
  });

  test(
    `what is said as of ${share} of its blocks is what is said where the ingest was stopped there`,
    async () => {
      let asked = 0;
      let told = 0;
      const heights = await chooseHeights(whole.url);
      for (const height of heights) {
        await applySource(endedAfter(await openSource(), height), writer, {
          pace: 'max',
          signal: new AbortController().signal,
        });
        expect(await readHeight(stored.url)).toBe(height);
        const stopped = openDatabase({ url: stored.url, readOnly: true });
        const property = fc.asyncProperty(pastQuestions(whole.tables, BigInt(height)), async (question) => {
          fc.pre(validate(schema, parse(question.past.text)).length === 0);
          asked += 1;
          const then = await runBy(stopped, toPresent(question.present), true);
          const { data: expected } = JSON.parse(bytesOf(then.answer));
          if (expected !== null) told += 1;
          for (const asText of [true, false]) {
            const { answer } = await runBy(whole.database, question.past, asText);
            const { data } = JSON.parse(withoutBlock(bytesOf(answer)));
            expect(data).toEqual({ asOf: expected });
          }
        });
        try {
          await fc.assert(property, { numRuns: QUESTIONS, endOnFailure: true });
        } finally {
          await stopped.close();
        }
      }
      console.info(`${asked} questions`);
      expect(asked).toBeGreaterThanOrEqual(heights.length);
      // What is refused on both sides compares nothing.
      expect(told).toBeGreaterThan(asked / 4);
    },
    TIME_MS,
  );
});

/** Some heights of a network in their order, others with each seed. The newest is left out: it may go on. */
function chooseHeights(url: string): Promise<readonly number[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ height: string }>(
      'SELECT height FROM blocks WHERE height < (SELECT max(height) FROM blocks) ORDER BY hashint8(height + $1) LIMIT $2',
      [seed, share],
    );
    return rows.map(({ height }) => Number(height)).sort((a, b) => a - b);
  });
}

/** The source as if it ended with a height, and all that belongs to it. */
function endedAfter(source: EventSource, last: number): EventSource {
  return Object.assign(Object.create(source), {
    async *events(signal: AbortSignal) {
      for await (const event of source.events(signal)) {
        if (event.event.type === 'beginBlock' && event.event.height > last) return;
        yield event;
      }
    },
  });
}
