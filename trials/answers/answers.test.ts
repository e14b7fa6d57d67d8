import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { SIMULATED, soundNetworks } from '../../test/engine/executor-data.ts';
import { pastQuestions } from '../../test/engine/random-operations.ts';
import type { Tables } from '../../test/graphql/simulated-lists.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { addParameter, addressesOf } from '../../test/rest/addresses.ts';
import { getJson } from '../../test/support/gateway.ts';
import { withoutBlock } from '../../test/support/past-texts.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { withClient } from '../../test/support/state.ts';
import { Asker, operationOf, type Question } from './asker.ts';

/*
 * No answer is older than the block that the gateway has named: questions of all paths and random operations, asked again and
 * again while blocks come twenty times a second, are held to what another gateway, which keeps nothing, says as of each block
 * that the answer can be of. A few seconds with the tests; by itself for as many minutes as are wanted: npm run answers.
 */
const MINUTES = Number(process.env['ANSWERS_MINUTES'] ?? 0.15);
const BLOCKS_A_SECOND = 20;
/** Those that are asked in turns: few, so that most answers are kept ones. */
const QUESTIONS = 400;
const CLIENTS = 4;
const TELL_MS = 300_000;

test(
  'no answer is older than the block that was named before it was asked for',
  async () => {
    const [simulated] = soundNetworks;
    if (simulated === undefined) throw new Error('there is no simulated network');
    await using network = await simulated.open();
    const chooseText = await questionsOf(network.url, network.tables);
    await using gateway = await GatewayProcess.start(network.url);
    await using truth = await GatewayProcess.start(network.url, { KEPT_ANSWERS_MB: '0' });
    const blocks = SIMULATED.blocks + Math.ceil(MINUTES * 60 * BLOCKS_A_SECOND);
    await using writer = WriterProcess.simulating(network.url, { ...SIMULATED, blocks }, BLOCKS_A_SECOND);
    const asker = new Asker(gateway.url, (question, height) => answerAsOf(truth.url, question, height));
    let isOver = false;
    const ending = writer.done.then(() => {
      isOver = true;
    });
    const random = chooseRandom('answers');
    const pool = Array.from({ length: QUESTIONS }, chooseText);
    const askOn = async () => {
      while (!isOver) {
        // Some are new now and then: of what nobody has asked yet nothing is kept.
        const place = random.below(QUESTIONS);
        if (random.oneIn(40)) pool[place] = chooseText();
        await asker.ask(pool[place] as Question);
        await sleep(5);
      }
    };
    const telling = setInterval(() => console.info(asker.describe()), TELL_MS);
    try {
      await Promise.all(Array.from({ length: CLIENTS }, askOn));
      await ending;
    } finally {
      clearInterval(telling);
      // What was found counts, whatever ended it.
      console.info(asker.describe());
    }
    expect(asker.stale).toEqual([]);
    expect(asker.cut).toEqual([]);
    // Most are of moments in which the truth was one and the same.
    expect(asker.certain).toBeGreaterThan(asker.asked / 4);
    expect(asker.newest).toBeGreaterThan(SIMULATED.blocks + 1);
  },
  MINUTES * 90_000 + 300_000,
);

/** Chooses questions of the rows that there are: an address, or an operation, and the same of a block. */
async function questionsOf(url: string, tables: Tables): Promise<() => Question> {
  const random = chooseRandom('questions');
  const blocks = await withClient(url, async (client) => {
    const { rows } = await client.query('SELECT height::text, timestamp::text FROM blocks');
    return rows as Tables[string];
  });
  const addresses = Object.values(addressesOf({ ...tables, blocks }))
    // Where a page of filtered changes ends depends on how much was read for it, too.
    .map((all) => all.filter((address) => !/changes\?.*filter/.test(address)))
    .filter((all) => all.length > 0);
  return () => {
    if (random.oneIn(2)) return { kind: 'address', text: random.pick(random.pick(addresses)) };
    for (;;) {
      const chosen = random.below(1e9);
      const at = (height: number) => sampleOne(tables, height, chosen + seed);
      const { present } = at(1);
      const isValid = validate(schema, parse(present.text)).length === 0;
      if (isValid && !isOfBlock(present.text + JSON.stringify(present.variables)))
        return { kind: 'operation', ...present, asOf: (height) => at(height).past };
    }
  };
}

/** Whether it goes on with a page of some block, as pages in the order of updates are: its answer never changes. */
function isOfBlock(text: string): boolean {
  const texts = [...text.matchAll(/[\w+/-]{8,}=*/g)].map(([encoded]) =>
    Buffer.from(encoded, 'base64').toString(),
  );
  return texts.some((plain) => /@\d+/.test(plain));
}

/** The same operation for the same number, whatever the height. */
function sampleOne(tables: Tables, height: number, number: number) {
  const [one] = fc.sample(pastQuestions(tables, BigInt(height)), { seed: number % 2 ** 31, numRuns: 1 });
  if (one === undefined) throw new Error('there is no operation');
  return one;
}

/** What there was to say as of a block, in the words of the present. */
async function answerAsOf(url: string, question: Question, height: number): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { status, text } = await askAsOf(url, question, height).catch((error: Error) => {
      throw new Error(`as of ${height}: ${question.text}`, { cause: error });
    });
    // It may have more to do than it can.
    if (status < 500) return withoutBlock(text);
    await sleep(100);
  }
  return FAILED;
}

const MOST_ATTEMPTS = 20;

async function askAsOf(url: string, question: Question, height: number) {
  if (question.kind === 'address') return getJson(`${url}${addParameter(question.text, `asOf=${height}`)}`);
  const { text: query, variables } = question.asOf(height);
  const { status, body } = await getJson(`${url}/graphql`, operationOf({ text: query, variables }));
  const { data, errors } = body;
  return { status, text: errors === undefined ? JSON.stringify({ data: data.asOf }) : FAILED };
}

/** Errors name what they are about in their own way: what fails is asked of no block. */
const FAILED = '';
