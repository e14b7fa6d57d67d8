import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { IngestError } from '../events.ts';
import { type ChunkHead, readChunkHead, writeChunkHead } from './block-message.ts';
import type { LogConnection } from './connect.ts';
import type { SentBlock } from './sent-blocks.ts';
import { ANSWER_LIMIT_MS, openManager, type StreamName } from './stream.ts';

/** The end of a log: its last chunk of a block, and the number of its last message that is known. */
export interface LogEnd {
  /** 0 where there is no message. */
  readonly sequence: number;
  readonly chunk: ChunkHead | null;
}

/** A message of a log, with the chunk that it holds. */
export interface FoundChunk {
  readonly sequence: number;
  readonly head: ChunkHead;
}

/** How long the servers may take to have a message on as many of them as the stream has replicas. */
const PUBLISH_LIMIT_MS = 3_000;
/** What headers may take of the most that a message may have. */
const HEAD_SIZE = 2_048;
const LEAST_CHUNK = 1_024;
/** What servers take unless they are told otherwise. */
const DEFAULT_MAX_PAYLOAD = 2 ** 20;
/** So many messages in a row that are no blocks are passed by to find one. */
const MOST_STRANGE = 1_000;

/** A message was not taken as the next one, or it is not known whether it was. */
export class NotStoredError extends Error {
  override name = 'NotStoredError';
}

/** A stream of JetStream that blocks are put into and found in. */
export class BlockLog {
  /** For people: the stream and its servers. */
  readonly name: string;
  readonly stream: StreamName;
  readonly #connection: LogConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  #largestMessage: number;

  private constructor(connection: LogConnection, stream: StreamName, manager: JetStreamManager) {
    this.name = `stream ${stream.stream} of ${connection.name}`;
    this.stream = stream;
    this.#connection = connection;
    this.#client = jetstream(connection.nats, { timeout: ANSWER_LIMIT_MS });
    this.#manager = manager;
    this.#largestMessage = connection.nats.info?.max_payload ?? DEFAULT_MAX_PAYLOAD;
  }

  static async open(connection: LogConnection, stream: StreamName): Promise<BlockLog> {
    return new BlockLog(connection, stream, await openManager(connection));
  }

  get client(): JetStreamClient {
    return this.#client;
  }

  get manager(): JetStreamManager {
    return this.#manager;
  }

  /** How many bytes a message may have, with its headers. */
  get largestMessage(): number {
    // While no server is there, it is what the last one has said.
    this.#largestMessage = this.#connection.nats.info?.max_payload ?? this.#largestMessage;
    return this.#largestMessage;
  }

  /** How many bytes of a block a message may have. Throws an IngestError where the servers take next to nothing. */
  get chunkSize(): number {
    const size = this.largestMessage - HEAD_SIZE;
    if (size >= LEAST_CHUNK) return size;
    throw new IngestError(
      `${this.#connection.name} takes messages of ${size + HEAD_SIZE} bytes; blocks need ${LEAST_CHUNK + HEAD_SIZE} (max_payload)`,
    );
  }

  /**
   * Puts a block behind the message of a number, and gives where the log ends with it. Each of its messages names the one that it
   * must follow, and is sent when that is stored: sent at once, a later one could find a stranger's message in the place of
   * one that was refused, and be taken. Throws a NotStoredError unless all are stored.
   */
  async publish(block: SentBlock, after: number, relay: string): Promise<LogEnd> {
    const { chainId, format, first, last, digest, payload } = block;
    const size = this.chunkSize;
    const chunks = countChunks(block, size);
    let end: LogEnd = { sequence: after, chunk: null };
    for (let chunk = 0; chunk < chunks; chunk++) {
      const head = { chainId, format, first, last, digest, chunk, chunks, relay };
      const part = payload.subarray(chunk * size, (chunk + 1) * size);
      end = { sequence: await this.#publishOne(head, part, end.sequence), chunk: head };
    }
    return end;
  }

  /**
   * The end of the log, as the servers' leader has it. A last message that nobody has is passed by: it was removed, or the server
   * that was asked is behind. Which of them it is shows when something is published.
   */
  async readEnd(): Promise<LogEnd> {
    const { messages, last_seq: last } = await this.state();
    if (messages === 0) return { sequence: last, chunk: null };
    let sequence = 0;
    for (let at = last; at > 0; at--) {
      if (last - at >= MOST_STRANGE)
        throw new IngestError(`the last messages of the ${this.name} are no blocks`);
      const found = await this.#nextMessage(at);
      if (found === null) continue;
      // One that was not looked at may be a block.
      if (found.seq > at && found.seq > sequence)
        throw new NotStoredError(`message ${found.seq} has come meanwhile`);
      sequence = Math.max(sequence, found.seq);
      const head = found.seq === at ? readChunkHead(found.header) : '';
      if (typeof head === 'object') return { sequence, chunk: head };
    }
    return { sequence, chunk: null };
  }

  /** The number of the last message that there ever was, also where it was removed. */
  async lastSequence(): Promise<number> {
    return (await this.state()).last_seq;
  }

  async state() {
    return (await this.#manager.streams.info(this.stream.stream)).state;
  }

  /** The first chunk of any block in the messages from one on, up to and without another; null where there is none. */
  async findChunk(from: number, to: number): Promise<FoundChunk | null> {
    for (let at = from; at < to; ) {
      const found = await this.#nextMessage(at);
      if (found === null || found.seq >= to) return null;
      const head = readChunkHead(found.header);
      if (typeof head === 'object') return { sequence: found.seq, head };
      at = found.seq + 1;
    }
    return null;
  }

  /** The first chunk that the log has; null where there is none. */
  async findFirst(): Promise<FoundChunk | null> {
    const { first_seq: first, last_seq: last } = await this.state();
    return this.findChunk(first, last + 1);
  }

  /** A chunk of a block, as all blocks of a log are of one chain; null where there is none yet. */
  async findAnyChunk(): Promise<FoundChunk | null> {
    const { first_seq: first, last_seq: last } = await this.state();
    return (await this.findChunk(last, last + 1)) ?? this.findChunk(first, last + 1);
  }

  #nextMessage(from: number) {
    const query = { seq: from, next_by_subj: this.stream.subject };
    return this.#manager.streams.getMessage(this.stream.stream, query);
  }

  async #publishOne(head: ChunkHead, part: Uint8Array, after: number): Promise<number> {
    const { headers, id: msgID } = writeChunkHead(head, after);
    const expect = { lastSequence: after };
    const stored = await this.#client
      .publish(this.stream.subject, part, { headers, msgID, expect, timeout: PUBLISH_LIMIT_MS })
      .catch((cause: Error) => {
        throw new NotStoredError(cause.message, { cause });
      });
    // Who has put it there, and whether it stands there still, is to be found out.
    if (stored.duplicate || stored.seq !== after + 1)
      throw new NotStoredError('the message was there already');
    return stored.seq;
  }
}

/** How many chunks of a size a block has. */
export function countChunks({ payload }: Pick<SentBlock, 'payload'>, size: number): number {
  return Math.max(1, Math.ceil(payload.length / size));
}
