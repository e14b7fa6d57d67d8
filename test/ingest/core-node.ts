import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The greeting of SP PAIR v0, as the protocol's text has it. */
export const GREETING = Buffer.from('0053500000100000', 'hex');
const LENGTH_SIZE = 8;
const REDIAL_MS = 5;

/**
 * A core node as far as an ingest can tell: it dials, greets, and sends events, each after its length in eight bytes.
 * Written from the protocol, without the code that it tests.
 */
export class CoreNode implements AsyncDisposable {
  readonly #socket: Socket;
  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {}); // 'close' follows.
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  /** Dials and greets. The other side's greeting may still be on its way, or never come. */
  static async dial(url: string, greeting: Uint8Array = GREETING, from = '127.0.0.1'): Promise<CoreNode> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, localAddress: from });
    const node = new CoreNode(socket);
    await once(socket, 'connect');
    socket.write(greeting);
    return node;
  }

  /** The messages that have come, whole ones, after a greeting that is as it must be. */
  get received(): Uint8Array[] {
    const messages: Uint8Array[] = [];
    if (!this.#received.subarray(0, GREETING.length).equals(GREETING)) return messages;
    for (let at = GREETING.length; at + LENGTH_SIZE <= this.#received.length; ) {
      const end = at + LENGTH_SIZE + Number(this.#received.readBigUInt64BE(at));
      if (end > this.#received.length) break;
      messages.push(this.#received.subarray(at + LENGTH_SIZE, end));
      at = end;
    }
    return messages;
  }

  /** Whether the other side's greeting has come: it has taken us in. */
  get isGreeted(): boolean {
    return this.#received.length >= GREETING.length;
  }

  /** Rejects when the other side closes the connection instead. */
  async greeted(): Promise<void> {
    while (!this.isGreeted) await this.#hear();
  }

  /** Whether the other side greets, or else closes the connection. */
  isTaken(): Promise<boolean> {
    return this.greeted().then(
      () => true,
      () => false,
    );
  }

  /** Resolves when the first message has come, and rejects when the connection is gone before. */
  async answered(): Promise<Uint8Array> {
    for (;;) {
      const [first] = this.received;
      if (first) return first;
      await this.#hear();
    }
  }

  /** Sends events; resolves when the kernel has taken them all, which it does only as they are read. */
  async send(payloads: readonly Uint8Array[]): Promise<void> {
    await this.sendBytes(frame(payloads));
  }

  /** Sends bytes as they are, such as half a message. Resolves also when the connection is lost meanwhile. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Closes in good order: resolves when the other side has read all that was sent, and closed too. */
  async finish(): Promise<void> {
    this.#socket.end();
    await this.closed;
  }

  /** Breaks the connection, so that what is on its way may be lost. */
  async cut(): Promise<void> {
    this.#socket.resetAndDestroy();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.closed;
  }

  async #hear(): Promise<void> {
    const gone = this.closed.then(() => {
      throw new Error('the other side has closed the connection');
    });
    await Promise.race([once(this.#socket, 'data'), gone]);
  }
}

/** Events as they go over the wire. */
export function frame(payloads: readonly Uint8Array[]): Buffer {
  const parts = payloads.flatMap((payload) => {
    const length = Buffer.alloc(LENGTH_SIZE);
    length.writeBigUInt64BE(BigInt(payload.length));
    return [length, payload];
  });
  return Buffer.concat(parts);
}

/** Dials until the other side has noticed that the connection before is gone: as long as the test may take. */
export async function dialUntilTaken(url: string): Promise<CoreNode> {
  while (true) {
    const core = await CoreNode.dial(url);
    if (await core.isTaken()) return core;
    await sleep(REDIAL_MS);
  }
}
