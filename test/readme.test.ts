import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { configOptions } from '../src/config.ts';
import { Writer } from '../src/data/writer.ts';
import { DEMO } from '../src/demo.ts';
import { MAX_DIGITS } from '../src/domain/decimals.ts';
import { MAX_ID_LENGTH } from '../src/domain/ids.ts';
import { OPERATION_LIMITS } from '../src/graphql/costs.ts';
import { applySource } from '../src/ingest/apply.ts';
import { routes, streamRoutes } from '../src/rest/index.ts';
import { openSimulation } from '../src/simulation/simulate.ts';
import { createTestDatabase } from './support/database.ts';
import { startTestGateway } from './support/gateway.ts';

const README = readFileSync('README.md', 'utf8');
const EXAMPLE = /<!-- example -->\n```sh\n(?<command>[\s\S]*?)```\n\n```json\n(?<answer>[\s\S]*?)```/g;

test('the table of settings is that of the program', () => {
  const options = Object.values(configOptions).flatMap((group) => Object.values(group));
  const rows = options.map(
    ({ name, what, takes, default: initial }) =>
      `| \`${name}\` | ${what} | ${takes} | ${initial === null ? '' : `\`${initial}\``} |`,
  );
  expect(README).toContain(
    ['| Variable | What it is | What it takes | Default |', '|---|---|---|---|', ...rows].join('\n'),
  );
});

test('the table of paths is that of the routes', () => {
  const rows = [...routes, ...streamRoutes].map(({ path, summary, parameters }) => {
    const names = Object.entries(parameters).map(
      ([name, parameter]) => `\`${name}\`${parameter.required ? ' (required)' : ''}`,
    );
    return `| \`${path.replace(/:(\w+)/g, '{$1}')}\` | ${summary} | ${names.join(', ')} |`;
  });
  const table = ['| Path | What it gives | Parameters |', '|---|---|---|', ...rows].join('\n');
  expect(README).toContain(table);
});

test('the bounds of numbers, ids and documents are those of the program', () => {
  const told = (pattern: RegExp) =>
    new Set([...README.matchAll(pattern)].map(([, number]) => Number(number)));
  expect(told(/at most (\d+) digits/g)).toEqual(new Set([MAX_DIGITS]));
  expect(told(/(\d+) characters/g)).toEqual(new Set([OPERATION_LIMITS.length, MAX_ID_LENGTH]));
});

describe('the examples', async () => {
  const examples = [...README.matchAll(EXAMPLE)].map(
    ({ groups }) => groups as { command: string; answer: string },
  );

  test('give what the README shows, on the network of the demo', async () => {
    await using database = await createTestDatabase();
    const writer = await Writer.open(database.url);
    try {
      await applySource(openSimulation(DEMO), writer, { pace: 'max', signal: new AbortController().signal });
    } finally {
      await writer.close();
    }
    await using gateway = await startTestGateway(database.url);
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const { command, answer } of examples) {
      const response = await run(command.replaceAll('http://127.0.0.1:3008', gateway.url));
      expect(await response.json()).toEqual(JSON.parse(answer));
    }
  });
});

/** Does what a curl command of the README does: an address, and perhaps a header and a body. */
function run(command: string): Promise<Response> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const data = words.indexOf('-d');
  if (data < 0) return fetch(url);
  const [name = '', value = ''] = (words[words.indexOf('-H') + 1] ?? '').split(': ');
  return fetch(url, { method: 'POST', headers: { [name]: value }, body: words[data + 1] ?? '' });
}
