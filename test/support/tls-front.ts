import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** What a server of PostgreSQL says to who asks for encryption. */
const WILLING = 'S';

/** Speaks TLS before the tests' PostgreSQL, as a server does that has a certificate. */
export class TlsFront implements AsyncDisposable {
  readonly #server;
  readonly #sockets = new Set<Socket>();
  /** Whose certificate is shown from now on. */
  shown: { readonly key: Buffer; readonly cert: Buffer };

  private constructor(url: string, shown: TlsFront['shown']) {
    const { searchParams, hostname, port } = new URL(url);
    const folder = searchParams.get('host');
    const to = folder?.startsWith('/')
      ? { path: `${folder}/.s.PGSQL.${port || 5432}` }
      : { host: hostname, port: Number(port || 5432) };
    this.shown = shown;
    this.#server = createServer((plain) => {
      this.#keep(plain).once('data', () => {
        plain.write(WILLING);
        const front = new TLSSocket(plain, {
          isServer: true,
          secureContext: createSecureContext(this.shown),
        });
        const back = this.#keep(connect(to));
        front.on('error', () => back.destroy()).on('close', () => back.destroy());
        front.pipe(back).pipe(front);
      });
    });
  }

  static async start(url: string, shown: TlsFront['shown']): Promise<TlsFront> {
    const front = new TlsFront(url, shown);
    await once(front.#server.listen(0, '127.0.0.1'), 'listening');
    return front;
  }

  /** The address of a database through it. */
  urlOf(database: string, parameters: Readonly<Record<string, string>>): string {
    const url = new URL(database);
    url.hostname = 'localhost';
    url.port = String((this.#server.address() as AddressInfo).port);
    url.search = String(new URLSearchParams(parameters));
    return url.href;
  }

  /** Loses all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }
}
