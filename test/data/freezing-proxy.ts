import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can fall silent, on every connection that there is and that comes. */
export class FreezingProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #upstream: URL;
  #isFrozen = false;

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
  }

  static async start(upstream: string): Promise<FreezingProxy> {
    const proxy = new FreezingProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.#upstream);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** From now on nothing that anybody sends arrives. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** New connections go through again; those of before stay silent, as behind a network that was cut. */
  thaw(): void {
    this.#isFrozen = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    this.#keep(socket);
    if (this.#isFrozen) return;
    const host = this.#upstream.searchParams.get('host');
    const upstream = host
      ? connect(`${host}/.s.PGSQL.5432`)
      : connect(Number(this.#upstream.port), this.#upstream.hostname);
    this.#keep(upstream);
    socket.pipe(upstream).pipe(socket);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }
}
