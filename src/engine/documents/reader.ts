import type { DocumentNode, OperationTypeNode } from 'graphql';
import type { RateLimiter } from '../../http/limits/rate-limiter.ts';
import type { Kind, Turns } from '../../http/limits/turns.ts';
import { errorsOf } from '../client-errors.ts';
import { COST_OF_READING, costOfText } from '../price/reading.ts';
import type { Documents } from './documents.ts';
import { type OperationParams, readOperationParams } from './operation-params.ts';
import type { PersistedOperations } from './persisted-operations.ts';

/** So many bytes are read sooner than it takes to wait for a turn. */
const FEW_BYTES = 4096;
/**
 * How long a message of a socket may wait for its turn. All that goes on there would end with it, and come back at once; and no more
 * of them wait than there are sockets.
 */
const MESSAGE_WAIT_MS = 60_000;

export interface DocumentReaderParts {
  readonly stored: PersistedOperations;
  readonly documents: Documents;
  /** Null where clients may ask for as much as they like. */
  readonly limiter: RateLimiter | null;
  readonly turns: Turns;
}

/** The valid document of an operation, and the parameters that came with it. */
export interface ReadDocument {
  readonly params: OperationParams;
  readonly document: DocumentNode;
}

/**
 * Reads what clients send before anybody knows its price: all of it is charged, and done a little in each turn of the event
 * loop, be it refused or not.
 */
export class DocumentReader {
  readonly #parts: DocumentReaderParts;

  constructor(parts: DocumentReaderParts) {
    this.#parts = parts;
  }

  /** Reads so many bytes of a client: charge -> wait for a turn -> read. Rejects with what `read` throws. */
  async readBytes<Result>(client: string, bytes: number, read: () => Result): Promise<Awaited<Result>> {
    const { limiter, turns } = this.#parts;
    const charging = limiter?.charge(client, COST_OF_READING.byte * bytes);
    if (charging !== undefined) await charging;
    return await turns.do(client, bytes, kindOf(bytes), read);
  }

  /**
   * Reads a message of a client that is not asked whether it may send it: charge, as soon as it has as much -> wait for a turn ->
   * read. At once where there is nothing to wait for.
   */
  readMessage<Result>(
    client: string,
    bytes: number,
    signal: AbortSignal,
    read: () => Result,
  ): Result | Promise<Result> {
    const { limiter, turns } = this.#parts;
    const cost = COST_OF_READING.message + COST_OF_READING.byte * bytes;
    const paying = limiter?.chargeInTime(client, cost, signal) ?? null;
    const take = () => turns.do(client, bytes, kindOf(bytes), read, MESSAGE_WAIT_MS);
    return paying === null ? take() : paying.then(take);
  }

  /**
   * Reads an operation: parameters -> stored text -> charge -> parse -> validate. At once where its document is known.
   * Throws, or rejects with, what is wrong.
   */
  read(given: unknown, client: string): ReadDocument | Promise<ReadDocument> {
    const { stored, documents } = this.#parts;
    const params = readOperationParams(given);
    const text = stored.textOf(params);
    const read = (onParsed?: (tokens: number) => void) => ({
      params,
      document: documents.read(text, params.operationName, onParsed),
    });
    return documents.has(text) ? read() : this.#readNew(text, client, read);
  }

  /** What kind of operation is asked for, be it one that can be answered or not; null where that cannot be read. */
  async typeOf(given: unknown, client: string): Promise<OperationTypeNode | null> {
    const { stored, documents } = this.#parts;
    try {
      const params = readOperationParams(given);
      const text = stored.textOf(params);
      const read = () => documents.typeOf(text, params.operationName);
      return documents.has(text) ? read() : await this.#readNew(text, client, read);
    } catch {
      return null;
    }
  }

  async #readNew<Result>(
    text: string,
    client: string,
    read: (onParsed: (tokens: number) => void) => Result,
  ): Promise<Result> {
    const { limiter, turns } = this.#parts;
    await limiter?.charge(client, costOfText(text));
    try {
      return await turns.do(client, text.length, 'unpriced', () =>
        read((tokens) => limiter?.spend(client, COST_OF_READING.token * tokens)),
      );
    } catch (error) {
      limiter?.spend(client, COST_OF_READING.error * errorsOf(error).length);
      throw error;
    }
  }
}

function kindOf(bytes: number): Kind {
  return bytes > FEW_BYTES ? 'unpriced' : 'usual';
}
