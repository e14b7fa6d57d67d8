import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO } from '../../src/demo.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { blocksOf, documents } from './documents.ts';

/** A command that is marked to be run, and what it is said to write. */
const EXAMPLE = /<!-- run -->\n```sh\n(?<command>[\s\S]*?)```\n\n```(?:json|text)\n(?<answer>[\s\S]*?)```/g;
const ADDRESS = 'http://127.0.0.1:3008';

const examples = documents.flatMap(({ path, text }) =>
  [...text.matchAll(EXAMPLE)].map(({ groups }) => ({
    path,
    ...(groups as { command: string; answer: string }),
  })),
);
const isStreamed = ({ command }: { readonly command: string }) => /\/stream\/|subscription /.test(command);
const isJson = (answer: string) => /^[{[]/.test(answer);
const streamed = examples.filter(isStreamed);
const answered = examples.filter((example) => !isStreamed(example));

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('test/docs/examples.test.ts is skipped: there is no curl here');

describe.skipIf(!hasCurl)('what is marked to be run gives what is shown, on the network of the demo', () => {
  let network: SimulatedDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await createSimulatedDatabase(DEMO);
    gateway = await startTestGateway(network.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await network?.[Symbol.asyncDispose]();
  });

  test.each(answered)('$path: $command', async ({ command, answer }) => {
    const lines = await run(command, gateway);
    const read = (text: string) => (isJson(answer) ? JSON.parse(text) : text.trimEnd());
    expect(read(lines.join('\n'))).toEqual(read(answer));
  });

  test.each(streamed)('$path: $command', async ({ command, answer }) => {
    await using own = await createSimulatedDatabase(DEMO);
    await using gateway = await startTestGateway(own.url);
    const shown = answer.split('\n').filter((line) => line !== '');
    const heights = [...answer.matchAll(/"block":{"height":"(\d+)"/g)].map(([, height]) => Number(height));
    const lines = await run(command, gateway, {
      count: shown.length,
      onFirst: () => own.advanceTo(Math.max(...heights)),
    });
    expect(lines.map(read)).toEqual(shown.map(read));
  });
});

/** A line of JSON as its value; the lines of server-sent events as they are. */
function read(line: string): unknown {
  return line.startsWith('{') ? JSON.parse(line) : line;
}

/** Runs a command as it stands, but for the port. What goes on is ended after so many lines. */
async function run(
  command: string,
  { url }: TestGateway,
  { count = Number.POSITIVE_INFINITY, onFirst = async () => {} } = {},
): Promise<readonly string[]> {
  expect(command).toContain(ADDRESS);
  const sent = command.trim().replaceAll(ADDRESS, url);
  // One command is killed itself.
  const shell = spawn('bash', ['-c', sent.includes('\n') && !sent.includes('{\n') ? sent : `exec ${sent}`], {
    // Some write files.
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: shell.stdout })) {
    // The end of an event, or a heartbeat.
    if (count !== Number.POSITIVE_INFINITY && (line === '' || line === ':')) continue;
    lines.push(line);
    if (lines.length === 1) await onFirst();
    if (lines.length >= count) break;
  }
  shell.kill('SIGKILL');
  return lines;
}

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
/** Operations as blocks of their own, in the text of a line, and as what a command or a program sends. */
const operations = documents.flatMap((document) => {
  const inLines = [...document.text.matchAll(/`((?:\{(?! ?["}])|query|subscription)[^`\n]*\})`/g)].map(
    ([, text]) => text ?? '',
  );
  const sent = [...document.text.matchAll(/"query": ?"((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
    JSON.parse(`"${text}"`),
  );
  const found = [...blocksOf(document, 'graphql'), ...inLines, ...sent];
  return found.map((operation) => ({ path: document.path, operation }));
});

test('operations are found in blocks, in lines and in commands', () => {
  expect(operations.length).toBeGreaterThan(5);
});

test.each(operations)('GraphQL as $path shows it is taken: $operation', ({ operation }) => {
  expect(validate(schema, parse(operation))).toEqual([]);
});
