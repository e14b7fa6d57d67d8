import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Slowness {
  /** What it says one after the other, so often, before one is let in. */
  readonly words: number;
  readonly everyMs: number;
  /** Whether nobody is let in. */
  readonly isSilentThen?: boolean;
}

/** Speaks as PostgreSQL does to who connects and asks one thing, slowly. */
export class SlowServer implements AsyncDisposable {
  /** Resolves when somebody who was answered says goodbye. */
  readonly left: Promise<void>;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor(slowness: Slowness) {
    let onLeft = () => {};
    this.left = new Promise((resolve) => {
      onLeft = resolve;
    });
    this.#server = createServer((socket) => {
      this.#sockets.add(socket.on('error', () => {}));
      socket.once('data', () => {
        say(socket, slowness);
        socket.on('data', ([kind]) => {
          if (kind === QUERY) socket.write(Buffer.concat([message('C', 'SELECT 0\0'), message('Z', 'I')]));
          if (kind === GOODBYE) onLeft();
        });
      });
    });
  }

  static async start(slowness: Slowness): Promise<SlowServer> {
    const server = new SlowServer(slowness);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `postgres://u@127.0.0.1:${(this.#server.address() as AddressInfo).port}/d?sslmode=disable`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

const QUERY = 'Q'.charCodeAt(0);
const GOODBYE = 'X'.charCodeAt(0);

function say(socket: Socket, { words, everyMs, isSilentThen = false }: Slowness): void {
  let said = 0;
  const timer = setInterval(() => {
    said += 1;
    if (said <= words) return socket.write(message('S', 'a\0b\0'));
    clearInterval(timer);
    return isSilentThen || socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]));
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

function message(kind: string, body: string): Buffer {
  const head = Buffer.alloc(5, kind);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}
