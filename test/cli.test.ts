import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { configOptions } from '../src/config.ts';
import { createTestDatabase } from './support/database.ts';
import { readListening, runProgram } from './support/program.ts';

test('npm start serves; a stop reaches the gateway, which ends its streams with a reason, and then itself', async () => {
  await using database = await createTestDatabase();
  await using npm = startNpm('start', { DATABASE_URL: database.url, PORT: '0' });
  const url = await readListening(npm.process.stdout);
  const stream = await fetch(`${url}/api/v2/stream/accounts`);
  npm.process.kill('SIGTERM');
  const lines = (await stream.text()).trim().split('\n');
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ error: { code: 14 } });
  expect(await npm.ended).toEqual([0, null]);
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
});

test('the help says of every setting what it takes', async () => {
  const { stdout } = await runProgram(['--help'], {});
  for (const { name, takes } of Object.values(configOptions).flatMap((group) => Object.values(group))) {
    expect(stdout).toMatch(new RegExp(`^ +${name} .*; takes `, 'm'));
    expect(stdout).toContain(`; takes ${takes}`);
  }
});

/** Starts a script of package.json, and kills all that comes of it when it is disposed of. */
function startNpm(script: string, environment: Readonly<Record<string, string>>) {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['run', '--silent', script], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  return {
    process: child,
    ended,
    async [Symbol.asyncDispose]() {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // Nothing is left of it.
      }
      await ended;
    },
  };
}
