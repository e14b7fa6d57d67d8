// Makes clients of the OpenAPI document with the well-known generators of Python, Go and TypeScript: what npm run clients does.
//   npm run clients -- http://127.0.0.1:3008
// Each generator may say nothing that is a warning, and what it makes is compiled; with the address of a gateway each client
// asks it once. The generators of Python and Go come from their registries, so they are in no test. Ends non-zero when
// one fails, or is missing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeRest } from '../../dist/reference/openapi.js';

const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const STEP_MS = 300_000;

const address = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'clients-'));
const document = join(folder, 'openapi.json');
try {
  writeFileSync(document, JSON.stringify(describeRest(), null, 2));
  if (address.length === 0) say('No address is given: the clients are made and compiled, and ask nobody.');
  for (const [language, tool, make] of [
    ['TypeScript', [process.execPath, '--version'], makeTypeScript],
    ['Python', ['python3', '--version'], makePython],
    ['Go', ['go', 'version'], makeGo],
  ])
    tryOut(language, tool, make);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tryOut(language, [tool, ...args], make) {
  if (spawnSync(tool, args).status !== 0) return fail(`${language} is not tried: there is no ${tool} here.`);
  const inside = join(folder, language);
  mkdirSync(inside);
  try {
    make(inside);
    say(`${language}: the client is made and compiled without a warning.`);
  } catch (error) {
    fail(`${language}: ${error.message}`);
  }
}

function makeTypeScript(inside) {
  symlinkSync(resolve('node_modules'), join(inside, 'node_modules'));
  writeFileSync(join(inside, 'package.json'), '{ "type": "module" }');
  copyFileSync('trials/clients/ask.mjs', join(inside, 'ask.mjs'));
  const bin = (name) => resolve('node_modules/.bin', name);
  run(inside, bin('openapi-typescript'), [document, '--output', 'generated.d.ts']);
  const options = [
    '--checkJs',
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--types',
    'node',
  ];
  run(inside, bin('tsc'), [...options, 'ask.mjs']);
  run(inside, process.execPath, ['ask.mjs', ...address]);
}

function makePython(inside) {
  run(inside, 'python3', ['-m', 'venv', 'venv']);
  const bin = (name) => join(inside, 'venv/bin', name);
  run(inside, bin('pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON_GENERATOR]);
  // What it would format the code with is another program.
  writeFileSync(join(inside, 'config.yaml'), 'post_hooks: []\n');
  const into = ['--meta', 'none', '--output-path', 'generated', '--config', 'config.yaml'];
  run(inside, bin('openapi-python-client'), ['generate', '--path', document, ...into, '--fail-on-warning']);
  run(inside, bin('python'), ['-m', 'compileall', '-q', 'generated']);
  copyFileSync('trials/clients/ask.py', join(inside, 'ask.py'));
  run(inside, bin('python'), ['-W', 'error', 'ask.py', ...address]);
}

function makeGo(inside) {
  copyFileSync('trials/clients/ask.go', join(inside, 'ask.go'));
  run(inside, 'go', ['mod', 'init', 'clients']);
  const into = ['-package', 'main', '-generate', 'types,client', '-o', 'generated.go'];
  run(inside, 'go', ['run', GO_GENERATOR, ...into, document]);
  run(inside, 'go', ['mod', 'tidy']);
  run(inside, 'go', ['vet', '.']);
  run(inside, 'go', ['run', '.', ...address]);
}

/** Throws what a step says when it fails, or warns. */
function run(cwd, command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: STEP_MS,
  });
  const said = `${stdout}${stderr}`;
  if (error !== undefined) throw error;
  if (status !== 0 || /\bwarn(ing)?\b/i.test(said)) throw new Error(`${command} says:\n${said}`);
  if (/^\w+: \d+ deposit$/m.test(stdout)) say(stdout.trim());
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
