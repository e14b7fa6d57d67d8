import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An embedded database whose server takes connections and says nothing, so that whoever opens it waits. */
export interface OpeningDatabase extends AsyncDisposable {
  readonly dataDir: string;
  /** Resolves once somebody is opening it. */
  readonly asked: Promise<void>;
  /** Ends the server, and the connections. */
  end(): void;
}

export async function startOpeningDatabase(): Promise<OpeningDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'periscope-opening-'));
  await chmod(dataDir, 0o755);
  const cluster = join(dataDir, 'postgres');
  await mkdir(cluster);
  // What a server is known by: its name, its folder, and its own file.
  const loop = "trap 'exit' INT; while :; do sleep 0.1; done";
  const server = spawn('/bin/bash', ['-c', loop, '-D', cluster], { argv0: 'postgres', stdio: 'ignore' });
  await once(server, 'spawn');
  const state = `${server.pid}\n${cluster}\n0\n5432\n${dataDir}\n\n\nready\n`;
  await writeFile(join(cluster, 'postmaster.pid'), state);
  const connections: Socket[] = [];
  const listener = createServer((connection) => {
    connections.push(connection.on('error', () => {}));
  });
  const asked = once(listener, 'connection').then(() => undefined);
  await new Promise<void>((resolve) => listener.listen(join(dataDir, '.s.PGSQL.5432'), resolve));
  const end = () => {
    server.kill('SIGKILL');
    for (const connection of connections) connection.destroy();
  };
  return {
    dataDir,
    asked,
    end,
    async [Symbol.asyncDispose]() {
      end();
      await new Promise((resolve) => listener.close(resolve));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
