import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { IngestError } from '../events.ts';
import { frameMessage, GREETING, PairError, PairReader } from './pair-protocol.ts';

/** Where a core node dials. */
export interface PeerAddress {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

/** The core node at the other end, while it is connected. */
export interface Peer {
  readonly name: string;
  /** Sends a message; nothing says whether it arrives. */
  send(payload: Uint8Array): void;
}

export interface PeerListenerOptions {
  readonly address: PeerAddress;
  readonly logger: Logger;
  readonly onPeer: (peer: Peer) => void;
  /**
   * Takes what a peer sends; it is read only as fast as that. An IngestError has the peer closed, any other error
   * is the listener's failure. The signal is aborted when the listener waits no longer.
   */
  readonly onMessages: (peer: Peer, messages: readonly Uint8Array[], signal: AbortSignal) => Promise<void>;
  /** Why messages are not taken at the moment, if that takes longer; null while they are. */
  readonly trouble: () => string | null;
}

const GREETING_LIMIT_MS = 5_000;
/** A core whose machine is gone is noticed this long after its last event, or a little later. */
const KEEP_ALIVE_MS = 10_000;
/** How many peers may be about to greet; beyond it, the oldest of the busiest address makes room. */
const MAX_UNGREETED = 512;
const LOG_EVERY_MS = 1_000;
const DRAIN_LIMIT_MS = 2_000;

/** Listens as one end of a PAIR. One peer at a time: the first that greets; others are closed at once. */
export class PeerListener {
  /** Rejects when messages cannot be taken any more; never resolves. */
  readonly failed: Promise<never>;
  readonly #options: PeerListenerOptions;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, Promise<void>>();
  /** The peers that have not greeted yet, the oldest first, with their addresses. */
  readonly #ungreeted = new Map<Socket, string>();
  readonly #stop = new AbortController();
  readonly #logged = new Map<string, { at: number; omitted: number }>();
  #connected: { readonly peer: Peer; readonly socket: Socket } | null = null;
  #fail!: (error: unknown) => void;

  private constructor(options: PeerListenerOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever cares awaits it; nobody has to.
    this.failed.catch(() => undefined);
  }

  /** Throws an IngestError where the address cannot be had. */
  static async open(options: PeerListenerOptions): Promise<PeerListener> {
    const listener = new PeerListener(options);
    const { host, port } = options.address;
    try {
      listener.#server.listen(port, host);
      await once(listener.#server, 'listening');
    } catch (error) {
      throw new IngestError(`cannot listen on tcp://${host}:${port}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    listener.#server.on('error', (error) => listener.#fail(error));
    return listener;
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `tcp://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get peer(): Peer | null {
    return this.#connected?.peer ?? null;
  }

  /** Takes nobody in any more, takes what the peer has sent already, within a limit, and ends. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets.keys()) {
      // The peer sees our end, ends too, and all that it sent before arrives first.
      if (socket === this.#connected?.socket) socket.end();
      else socket.destroy();
    }
    const limit = setTimeout(() => {
      this.#stop.abort();
      for (const socket of this.#sockets.keys()) socket.destroy();
    }, DRAIN_LIMIT_MS);
    await Promise.all(this.#sockets.values());
    clearTimeout(limit);
    await closed;
  }

  #accept(socket: Socket): void {
    const name = `${socket.remoteAddress}:${socket.remotePort}`;
    socket.on('error', () => {}); // The reading ends with the same error.
    if (this.#connected) {
      this.#refuse(socket, name);
      return;
    }
    if (this.#ungreeted.size >= MAX_UNGREETED) this.#makeRoom();
    this.#ungreeted.set(socket, socket.remoteAddress ?? '');
    const served = this.#serve(socket, name).finally(() => this.#sockets.delete(socket));
    this.#sockets.set(socket, served);
  }

  /** A core node greets at once, so that the one that has waited longest is the least likely to be one. */
  #makeRoom(): void {
    const counts = new Map<string, number>();
    for (const address of this.#ungreeted.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [socket, address] of this.#ungreeted) {
      if (counts.get(address) !== most) continue;
      this.#ungreeted.delete(socket);
      socket.destroy(new PairError('has not greeted, and others wait to'));
      return;
    }
  }

  #refuse(socket: Socket, name: string): void {
    const peer = this.#connected?.peer.name;
    const reason = this.#options.trouble();
    // Its end is behind what it has sent: whether it is there still, nobody knows until that is taken.
    if (reason === null)
      this.#log('warn', { refused: name, peer }, 'refused a second core node: there is one at a time');
    else
      this.#log(
        'warn',
        { refused: name, peer, reason },
        'refused another core node: whether the first is there still is known once there is room for what it has sent',
      );
    socket.destroy();
  }

  /** Reads a connection to its end. Never rejects. */
  async #serve(socket: Socket, name: string): Promise<void> {
    const { logger, onPeer } = this.#options;
    const reader = new PairReader();
    let peer: Peer | null = null;
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const limit = setTimeout(() => {
      socket.destroy(new PairError('has not greeted in time'));
    }, GREETING_LIMIT_MS);
    try {
      for await (const chunk of socket) {
        const messages = reader.read(chunk);
        if (peer === null && reader.greeted) {
          if (this.#connected) return this.#refuse(socket, name);
          clearTimeout(limit);
          this.#ungreeted.delete(socket);
          // Not before: a peer that has our greeting sends, and what it sends must not be refused.
          socket.write(GREETING);
          peer = { name, send: (payload) => socket.write(frameMessage(payload)) };
          this.#connected = { peer, socket };
          logger.info({ peer: name }, 'a core node has connected');
          onPeer(peer);
        }
        if (peer && messages.length > 0) await this.#take(peer, messages);
      }
      const cutOff = reader.isWithinMessage;
      if (peer) logger.info({ peer: name, cutOff }, 'the core node has closed its connection');
    } catch (error) {
      this.#explainEnd(error, name);
    } finally {
      clearTimeout(limit);
      this.#ungreeted.delete(socket);
      if (this.#connected?.socket === socket) this.#connected = null;
      socket.destroy();
    }
  }

  /** Whoever stops reading a socket has it destroyed: that it is we who failed, only this place can tell. */
  async #take(peer: Peer, messages: readonly Uint8Array[]): Promise<void> {
    const { signal } = this.#stop;
    try {
      await this.#options.onMessages(peer, messages, signal);
    } catch (error) {
      if (!(error instanceof IngestError) && !signal.aborted) this.#fail(error);
      throw error;
    }
  }

  #explainEnd(error: unknown, name: string): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof PairError || error instanceof IngestError) {
      this.#log(
        'error',
        { peer: name, reason },
        'closed the connection of a peer that is no core node of ours',
      );
    } else {
      this.#log('info', { peer: name, reason }, 'the connection was lost');
    }
  }

  /** Logs what a stranger can bring about at any rate: once a second, and how often it was omitted since. */
  #log(level: 'info' | 'warn' | 'error', figures: Readonly<Record<string, unknown>>, message: string): void {
    const logged = this.#logged.get(message) ?? { at: Number.NEGATIVE_INFINITY, omitted: 0 };
    this.#logged.set(message, logged);
    if (performance.now() - logged.at < LOG_EVERY_MS) {
      logged.omitted += 1;
      return;
    }
    this.#options.logger[level](
      { ...figures, ...(logged.omitted > 0 && { omitted: logged.omitted }) },
      message,
    );
    logged.at = performance.now();
    logged.omitted = 0;
  }
}

/** Reads `tcp://host:port`. Throws a RangeError that says what is accepted. */
export function readPeerAddress(text: string): PeerAddress {
  const [, bracketed, plain, digits] = /^tcp:\/\/(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65535) return { host, port };
  throw new RangeError('It takes an address such as tcp://127.0.0.1:3005 (0.0.0.0 lets other machines in).');
}
