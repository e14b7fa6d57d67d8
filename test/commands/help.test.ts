import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT_CODE_MEANINGS } from '../../src/commands/run.ts';
import { OLDEST_NODE } from '../../src/commands/version.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { runProgram } from '../support/program.ts';

const DOCUMENT = readFileSync('docs/command-line.md', 'utf8');
const COMMANDS = [
  ...['serve', 'ingest', 'relay', 'migrate', 'demo', 'status', 'digest', 'verify', 'backup', 'restore'],
  ...['export', 'schema', 'openapi'],
];
const SOURCES = ['file', 'socket', 'jetstream', 'ndjson', 'simulate', 'base'];
const LINES = [[], ...COMMANDS.map((name) => [name]), ...SOURCES.map((name) => ['ingest', name])];
const COLOUR = '\u001b[';

const helps = await Promise.all(
  LINES.map(async (words) => ({ words, ...(await runProgram([...words, '--help'], {})) })),
);
const optionsOf = (help: string) => [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);

test('every command is listed, and no other', () => {
  const listed = (help: string) =>
    [...(help.split('Commands:\n')[1] ?? '').matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  const [program] = helps;
  const commands = /Commands:\n(?: .*\n)+/.exec(program?.stdout ?? '')?.[0] ?? '';
  expect(listed(commands).sort()).toEqual([...COMMANDS, 'help'].sort());
  const ingest = /Commands:\n(?: .*\n)+/.exec(helps[2]?.stdout ?? '')?.[0] ?? '';
  expect(listed(ingest).sort()).toEqual([...SOURCES, 'help'].sort());
});

test('in a checkout each is a script, as docs/command-line.md says', () => {
  const isScript = (name: string) =>
    Object.values(packageJson.scripts).some((script) => script.endsWith(`dist/bundle/cli.js ${name}`));
  expect(COMMANDS.filter((name) => !isScript(name))).toEqual(['schema']);
  expect(DOCUMENT).toContain('`schema` is `node dist/bundle/cli.js schema` there');
});

describe.each(helps)('$words', ({ words, code, stdout, stderr }) => {
  test('its help has examples that name commands and options which are there', () => {
    expect([code, stderr]).toEqual([0, '']);
    const examples = [...stdout.matchAll(/^ {2}\$ (.*?) +# /gm)].map(([, line]) => line as string);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const [, typed = ''] = /\bperiscope ([^|>]*)/.exec(example) ?? [];
      const [name = '', source = ''] = typed.split(' ');
      expect(COMMANDS, example).toContain(name);
      const asked = name === 'ingest' ? [name, source] : [name];
      if (words.length > 0) expect(example).toContain(words.join(' '));
      const help = helps.find((one) => one.words.join() === asked.join())?.stdout ?? '';
      for (const [option] of typed.matchAll(/--[\w-]+/g)) expect(optionsOf(help), example).toContain(option);
    }
  });

  test('docs/command-line.md has it and its options', () => {
    expect(DOCUMENT).toContain(`periscope ${words.join(' ')}`.trim());
    for (const option of optionsOf(stdout)) expect(DOCUMENT).toContain(option);
  });

  test('its help has no colours where nobody sees them', () => {
    expect(stdout).not.toContain(COLOUR);
  });
});

test('help has colours on a terminal, and none where NO_COLOR says so', async () => {
  const coloured = await runProgram(['--help'], { FORCE_COLOR: '1' });
  expect(coloured.stdout).toContain(COLOUR);
  const plain = await runProgram(['--help'], { NO_COLOR: '1' });
  expect(plain.stdout).not.toContain(COLOUR);
});

test('the exit codes are those of the help and of docs/command-line.md', () => {
  const [program] = helps;
  for (const [code, meaning] of EXIT_CODE_MEANINGS) {
    expect(program?.stdout).toContain(`  ${code.padEnd(8)}  ${meaning}`);
    expect(DOCUMENT).toContain(`| ${code} | ${meaning} |`);
  }
});

test.each([
  [['--version'], {}, 0],
  [[], {}, 2],
  [['nonsense'], {}, 2],
  [['backup'], {}, 2],
  [['ingest', 'simulate', '--blocks', 'many'], {}, 2],
  [['serve', '--ingest', 'http://there'], {}, 2],
  [['serve'], { PORT: 'here' }, 2],
  [['migrate', '--reader', 'reader'], {}, 2],
  [['ingest', 'file', 'not-there.evt'], {}, 1],
  [['migrate'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 1],
] as const)('%j with %j ends with %i', async (args, environment, expected) => {
  const { code, stdout, stderr } = await runProgram(args, environment);
  expect(code).toBe(expected);
  expect(expected === 0 ? stdout : stderr).not.toBe('');
});

test.each(['serve', 'demo'])('%s refuses one port for both, before anything is begun', async (command) => {
  const ports = { PORT: '3131', METRICS_PORT: '3131' };
  const { code, stderr } = await runProgram([command], { ...ports, DATA_DIR: '/proc/none' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('METRICS_PORT is 3131, as PORT is')]);
});

test('--version is that of package.json, and what schema prints is schema.graphql', async () => {
  expect((await runProgram(['--version'], {})).stdout).toBe(`${packageJson.version}\n`);
  expect((await runProgram(['schema'], {})).stdout).toBe(readFileSync('schema.graphql', 'utf8'));
});

test.each(['18.20.8', '20.18.3'])('on Node.js %s it says which it needs, and nothing else', (version) => {
  const asOld = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${asOld}`, 'dist/bundle/cli.js', '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`periscope: It needs Node.js ${OLDEST_NODE} or newer, and this is ${version}.\n`);
  expect(packageJson.engines.node).toBe(`>=${OLDEST_NODE}`);
});

test.each([[['nonsense']], [['serve', '--nonsense']], [['backup']]])(
  'after %j it says how to get help',
  async (args) => {
    expect((await runProgram(args, {})).stderr).toMatch(/^error: .*\n\n?\(--help says what there is\)\n$/);
  },
);

test('what openapi prints is what a gateway has at /openapi.json', async () => {
  await using gateway = await startOwnGateway();
  const { body } = await gateway.rest('/openapi.json');
  const { code, stdout, stderr } = await runProgram(['openapi'], {});
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(body);
});
