import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('lines are written together, in their order, when the process ends', async () => {
  const { ended } = run('for (let line = 0; line < 300; line++) logger.info({ line }); process.exit(3);');
  const { code, lines } = await ended;
  expect([code, lines.map(({ line }) => line)]).toEqual([3, Array.from({ length: 300 }, (_, line) => line)]);
});

test('a warning is written at once, and what came before it', async () => {
  const { child, ended } = run("logger.info('before'); logger.warn('now'); for (;;);");
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  expect((await ended).lines.map(({ msg }) => msg)).toEqual(['before', 'now']);
});

test('a line of no fault is written soon, while the process goes on', async () => {
  const { child, ended } = run("logger.info('soon'); setInterval(() => {}, 1000);");
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  expect((await ended).lines).toMatchObject([{ level: 30, msg: 'soon' }]);
});

/** Runs a script with a logger of its own in a process of its own. */
function run(script: string) {
  const module = pathToFileURL(resolve('dist/log.js')).href;
  const text = `import { createLogger } from '${module}'; const logger = createLogger('info'); ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    lines: output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }));
  return { child, ended };
}
