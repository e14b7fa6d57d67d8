import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../test/live/proxy.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { DEFAULTS, frontOfGateways, HAPROXY } from '../replicas/primary-proxy.ts';

const LOOK_EVERY_MS = 20;

/** HAProxy in front of gateways, at one address, that can be killed and started again. */
export class GatewayProxy implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  #process: ChildProcess | null = null;

  private constructor(url: string, folder: string) {
    this.url = url;
    this.#folder = folder;
  }

  static async start(gateways: readonly string[]): Promise<GatewayProxy> {
    const port = await findFreePort();
    const folder = await mkdtemp(join(tmpdir(), 'periscope-front-'));
    await writeFile(join(folder, 'proxy.conf'), DEFAULTS + frontOfGateways(port, gateways));
    const proxy = new GatewayProxy(`http://127.0.0.1:${port}`, folder);
    await proxy.restart();
    return proxy;
  }

  /** Ends it with all connections through it. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts it; resolves when it takes requests. */
  async restart(): Promise<void> {
    const child = spawn(HAPROXY as string, ['-db', '-f', join(this.#folder, 'proxy.conf')], {
      stdio: 'ignore',
    });
    this.#process = child;
    for (const deadline = performance.now() + HANG_MS; ; await sleep(LOOK_EVERY_MS)) {
      const answer = await fetch(`${this.url}/health/live`, { signal: AbortSignal.timeout(HANG_MS) }).catch(
        () => null,
      );
      if (answer?.ok) return;
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`HAProxy does not start: exit code ${child.exitCode}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
