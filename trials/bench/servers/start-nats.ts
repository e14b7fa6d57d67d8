import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPort, giveWay } from './start-server.ts';

const START_LIMIT_MS = 30_000;

/** Servers of NATS with JetStream, of one cluster, on this machine. */
export interface LogServers extends AsyncDisposable {
  readonly url: string;
  readonly pids: readonly number[];
}

/** Starts so many, and waits until each takes connections. The program is Debian's nats-server. */
export async function startLogServers(program: string, count: number): Promise<LogServers> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-bench-nats-'));
  const children: ChildProcess[] = [];
  const dispose = async () => {
    await Promise.all(children.map(stop));
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const ports: number[] = [];
    while (ports.length < 2 * count) ports.push(await findPort());
    const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`);
    for (let n = 0; n < count; n += 1) {
      const file = join(folder, `n${n}.conf`);
      await writeFile(
        file,
        `server_name: n${n}
        listen: "127.0.0.1:${ports[n]}"
        jetstream { store_dir: "${join(folder, `n${n}`)}", max_mem: 64MB, max_file: 2GB }
        cluster { name: bench, listen: "127.0.0.1:${ports[count + n]}", routes: [${routes.join()}] }`,
      );
      const child = spawn(program, ['-c', file], { stdio: 'ignore' });
      children.push(child);
      giveWay(child.pid as number);
    }
    for (const port of ports.slice(0, count)) await untilOpen(port);
    const url = `nats://${ports
      .slice(0, count)
      .map((port) => `127.0.0.1:${port}`)
      .join(',')}`;
    return { url, pids: children.map(({ pid }) => pid as number), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function untilOpen(port: number): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (Date.now() > end) throw new Error(`nats-server does not listen on port ${port}.`);
    await sleep(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
