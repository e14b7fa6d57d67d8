import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program, where this machine has it. */
export const NGINX = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  .map((folder) => join(folder, 'nginx'))
  .find(existsSync);

const ATTEMPTS = 5;
const LOOKS = 1000;
const LOOK_LIMIT_MS = 10_000;

/** What a test sets within `http`: servers that listen on a port and pass requests on to a gateway. */
export type ConfigureServers = (port: number, gateway: string, folder: string) => string | Promise<string>;

/** Nothing set but where to pass requests on to. */
const asItComes: ConfigureServers = (port, gateway) =>
  `server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${gateway}; }
  }`;

/** An nginx of the test's own in front of a gateway. */
export async function startNginx(
  gateway: string,
  configureServers = asItComes,
): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-nginx-'));
  let said = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await findFreePort();
    await writeFile(
      join(folder, 'nginx.conf'),
      configure(folder, await configureServers(port, gateway, folder)),
    );
    const nginx = spawn(NGINX as string, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    nginx.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = once(nginx, 'close');
    if (!(await answers(`http://127.0.0.1:${port}/health/live`, nginx))) {
      nginx.kill('SIGKILL');
      continue;
    }
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        nginx.kill('SIGKILL');
        await ended;
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
  await rm(folder, { recursive: true, force: true });
  throw new Error(`nginx does not start: ${said}`);
}

/** One process in the foreground, which needs no other user's rights and leaves no other behind. */
function configure(folder: string, servers: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${servers}
}
`;
}

/** Whether it comes to answer, be it by asking for a password; not where it ends before. */
async function answers(url: string, nginx: ChildProcess): Promise<boolean> {
  const isRunning = () => nginx.exitCode === null && nginx.signalCode === null;
  for (let looks = 0; looks < LOOKS && isRunning(); looks++) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(LOOK_LIMIT_MS) }).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isUp) return true;
    await sleep(20);
  }
  return false;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
