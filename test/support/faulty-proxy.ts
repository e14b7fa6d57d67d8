import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** What a network does to the connections through it. */
export type NetworkState = 'passes' | 'delays' | 'stalls' | 'half-open' | 'refuses';

/** Connections are late by up to this, each by its own time, so that they overtake each other. */
const LATEST_MS = 700;

/** Where a connection is passed on to, asked for at each. */
type Target = () => { readonly host: string; readonly port: number } | { readonly path: string };

/** A TCP proxy on the loopback interface that is a bad network when it is told to be. */
export class FaultyProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #target: Target;
  #state: NetworkState = 'passes';
  #count = 0;
  /** Those of which some bytes are under way: nothing overtakes them. */
  readonly #late = new Set<Socket>();

  private constructor(target: Target) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#join(client));
  }

  /** The target is asked for at each connection. */
  static async start(target: Target): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Resets every connection. */
  drop(): void {
    for (const [client, server] of this.#pairs) {
      client.resetAndDestroy();
      // A socket of the file system cannot be reset.
      server.destroy();
    }
  }

  /**
   * From now on bytes pass; pass late; wait, in both directions, until they pass again; are lost on their way back, while the
   * connections look whole (half-open, and cut when they pass again); or nobody gets through.
   */
  set(state: NetworkState): void {
    const wasHalfOpen = this.#state === 'half-open';
    this.#state = state;
    if (state === 'refuses' || wasHalfOpen) this.drop();
    for (const pair of this.#pairs) for (const socket of pair) this.#flow(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const server = connect({ ...this.#target(), allowHalfOpen: true } as never);
    const pair = [client, server] as const;
    const lateMs = (this.#count++ * 137) % LATEST_MS;
    this.#pairs.add(pair);
    if (this.#state === 'refuses') {
      // The pair is closed below, as by a drop.
      setImmediate(() => client.resetAndDestroy());
    }
    for (const [from, to] of [pair, [server, client] as const]) {
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('data', (chunk) => {
        if (this.#state === 'half-open' && from === server) return;
        if (this.#state === 'delays') {
          this.#late.add(from);
          from.pause();
          setTimeout(() => {
            this.#late.delete(from);
            to.write(chunk);
            this.#flow(from);
          }, lateMs);
        } else if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => this.#flow(from));
      from.on('end', () => to.end());
      from.once('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
      this.#flow(from);
    }
  }

  #flow(socket: Socket): void {
    if (this.#state === 'stalls' || this.#late.has(socket)) socket.pause();
    else socket.resume();
  }
}

/** The way to a database by such a network: its address from here, and the network. */
export async function startDatabaseProxy(url: string) {
  const direct = new URL(url);
  const folder = direct.searchParams.get('host');
  const port = Number(direct.port || 5432);
  const proxy = await FaultyProxy.start(() =>
    folder === null ? { host: direct.hostname, port } : { path: join(folder, `.s.PGSQL.${port}`) },
  );
  const through = Object.assign(new URL(direct), { hostname: '127.0.0.1', port: `${proxy.port}` });
  through.search = '?sslmode=disable';
  return { url: through.href, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}
