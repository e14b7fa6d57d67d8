import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts, findProgram } from '../live/proxy.ts';
import { HANG_MS } from './limits.ts';

/** Of Debian's package nats-server; undefined where it is not there. */
export const NATS_SERVER = findProgram('nats-server');

if (NATS_SERVER === undefined) console.warn('Not there: nats-server. The tests of the log are skipped.');

interface Server {
  readonly name: string;
  readonly port: number;
  readonly file: string;
  process: ChildProcess | null;
}

const LOOK_EVERY_MS = 20;

/** Servers of NATS with JetStream on this machine, of one cluster where they are several. */
export class NatsServers implements AsyncDisposable {
  readonly #folder: string;
  readonly #servers: Server[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** `settings` stand in the file of each server as they are. */
  static async start(count: number, { maxPayload = 2 ** 20, settings = '' } = {}): Promise<NatsServers> {
    const servers = new NatsServers(await mkdtemp(join(tmpdir(), 'periscope-nats-')));
    const ports = await findFreePorts(2 * count);
    const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`);
    for (let n = 0; n < count; n++) {
      const name = `n${n}`;
      const folder = servers.#folder;
      const cluster = `cluster { name: test, listen: "127.0.0.1:${ports[count + n]}", routes: [${routes.join()}] }`;
      const file = join(folder, `${name}.conf`);
      await writeFile(
        file,
        `server_name: ${name}
        listen: "127.0.0.1:${ports[n]}"
        max_payload: ${maxPayload}
        ${settings}
        jetstream { store_dir: "${join(folder, name)}", max_mem: 64MB, max_file: 2GB }
        ${count > 1 ? cluster : ''}`,
      );
      servers.#servers.push({ name, port: ports[n] ?? 0, file, process: null });
    }
    await Promise.all(servers.#servers.map((_, n) => servers.restart(n)));
    return servers;
  }

  get url(): string {
    return `nats://${this.hosts}`;
  }

  /** Their addresses without a scheme. */
  get hosts(): string {
    return this.#servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  get count(): number {
    return this.#servers.length;
  }

  /** Ends a server as a power cut would. */
  async kill(index: number): Promise<void> {
    const server = this.#at(index);
    const { process } = server;
    if (process === null) return;
    server.process = null;
    const ended = once(process, 'exit');
    process.kill('SIGKILL');
    await ended;
  }

  /** Starts a server that is not there, with what it had on disk; resolves when it takes connections. */
  async restart(index: number): Promise<void> {
    const server = this.#at(index);
    const child = spawn(NATS_SERVER ?? 'nats-server', ['-c', server.file], { stdio: 'ignore' });
    server.process = child;
    for (const deadline = performance.now() + HANG_MS; !(await takesConnections(server.port)); ) {
      if (performance.now() > deadline || child.exitCode !== null)
        throw new Error(`nats-server ${server.name} does not start: exit code ${child.exitCode}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((_, n) => this.kill(n)));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #at(index: number): Server {
    const server = this.#servers[index];
    if (server === undefined) throw new RangeError(`there is no server ${index}`);
    return server;
  }
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
