import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writer.ts';
import { DEMO } from '../../src/demo.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { blocksOf, documents } from './documents.ts';

/** A command that is marked to be run, and what it is said to write. */
const EXAMPLE = /<!-- run -->\n```sh\n(?<command>[\s\S]*?)```\n\n```json\n(?<answer>[\s\S]*?)```/g;
const ADDRESS = 'http://127.0.0.1:3008';

const examples = documents.flatMap(({ path, text }) =>
  [...text.matchAll(EXAMPLE)].map(({ groups }) => ({
    path,
    ...(groups as { command: string; answer: string }),
  })),
);
const streamed = examples.filter(({ command }) => command.includes('/stream/'));
const answered = examples.filter(({ command }) => !command.includes('/stream/'));

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('test/docs/examples.test.ts is skipped: there is no curl here');

describe.skipIf(!hasCurl)('what is marked to be run gives what is shown, on the network of the demo', () => {
  let database: TestDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await createTestDatabase();
    await simulate(DEMO.blocks);
    gateway = await startTestGateway(database.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  test.each(answered)('$path: $command', async ({ command, answer }) => {
    const lines = await run(command);
    expect(JSON.parse(lines.join('\n'))).toEqual(JSON.parse(answer));
  });

  test.each(streamed)('$path: $command', async ({ command, answer }) => {
    const shown = answer.trim().split('\n');
    const last = Number(JSON.parse(shown.at(-1) ?? '').block.height);
    const lines = await run(command, {
      count: shown.length,
      onFirst: () => simulate(last),
    });
    expect(lines.map((line) => JSON.parse(line))).toEqual(shown.map((line) => JSON.parse(line)));
  });

  async function simulate(blocks: number): Promise<void> {
    const writer = await Writer.open(database.url);
    try {
      const signal = new AbortController().signal;
      await applySource(openSimulation({ ...DEMO, blocks }), writer, { pace: 'max', signal });
    } finally {
      await writer.close();
    }
  }

  /** Runs a command as it stands, but for the port. What goes on is ended after so many lines. */
  async function run(
    command: string,
    { count = Number.POSITIVE_INFINITY, onFirst = async () => {} } = {},
  ): Promise<readonly string[]> {
    expect(command).toContain(ADDRESS);
    const shell = spawn('bash', ['-c', `exec ${command.replaceAll(ADDRESS, gateway.url)}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: HANG_MS,
      killSignal: 'SIGKILL',
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: shell.stdout })) {
      if (line === '' && count !== Number.POSITIVE_INFINITY) continue; // A heartbeat.
      lines.push(line);
      if (lines.length === 1) await onFirst();
      if (lines.length >= count) break;
    }
    shell.kill('SIGKILL');
    return lines;
  }
});

test('there is something to run in the README, for REST, GraphQL and streams', () => {
  expect(examples.filter(({ path }) => path === 'README.md').length).toBeGreaterThanOrEqual(3);
  expect(answered.some(({ command }) => command.includes('/graphql'))).toBe(true);
  expect(streamed.length).toBeGreaterThan(0);
  const marks = documents.flatMap(({ text }) => text.match(/^<!-- run -->$/gm) ?? []);
  expect(examples.length).toBe(marks.length);
});

test('the two commands of the README are those that a clean checkout is held to', () => {
  const [first = ''] = blocksOf(documents.find(({ path }) => path === 'README.md') as never, 'sh');
  const commands = first.split('\n').map((line) => line.replace(/ +#.*/, ''));
  expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test', '']);
});

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const operations = documents.flatMap((document) =>
  blocksOf(document, 'graphql').map((operation) => ({ path: document.path, operation })),
);

test.each(operations)('GraphQL as $path shows it is taken: $operation', ({ operation }) => {
  expect(validate(schema, parse(operation))).toEqual([]);
});
