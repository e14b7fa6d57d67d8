import { Backoff } from '../../backoff.ts';
import { FaultError, IngestError } from '../events.ts';
import { readHead } from '../socket/envelope.ts';
import { type Segment, SpoolError } from '../socket/segments.ts';
import type { Spool } from '../socket/spool.ts';
import { readSession, type SpooledRecord, type UpgradeNotice } from '../socket/spool-source.ts';
import type { BlockFeed } from './feed.ts';
import { type SentBlock, SentBlockBuilder } from './sent-blocks.ts';

/** Where a block of the spool lies: what may be removed once the log has it. */
interface SpooledBlock extends SentBlock {
  readonly segment: Segment;
  readonly session: number;
  /** The number of its last record. */
  readonly sequence: number;
}

const RETRY = { firstMs: 100, limitMs: 30_000 } as const;

/**
 * The whole blocks of a core node as its events come into a spool, which keeps them until the log has them. A session of the
 * core that has blocks missing before it is left once the core has begun again. What the spool's disk does not give is tried again.
 * `onUpgrade` is called when the log has all that came before an announced upgrade.
 */
export class CoreFeed implements BlockFeed {
  readonly name = 'the core node';
  readonly #spool: Spool;
  readonly #onUpgrade: (notice: UpgradeNotice) => void;
  readonly #onFault: (error: IngestError) => void;
  /** The blocks that were given and not settled, and the last record that was read. */
  #unsettled: SpooledBlock[] = [];
  #read = -1;
  #notice: UpgradeNotice | null = null;
  /** The session that is read. */
  #session = -1;
  #leaving = new AbortController();
  #trouble: string | null = null;

  constructor(
    spool: Spool,
    options: {
      readonly onUpgrade: (notice: UpgradeNotice) => void;
      /** Called where a session cannot be read on; the next one is waited for. */
      readonly onFault: (error: IngestError) => void;
    },
  ) {
    this.#spool = spool;
    this.#onUpgrade = options.onUpgrade;
    this.#onFault = options.onFault;
  }

  /** Why the spool gives no blocks at the moment; null where it does. */
  get trouble(): string | null {
    return this.#trouble;
  }

  async *blocks(signal: AbortSignal): AsyncGenerator<SentBlock, void> {
    const spool = this.#spool;
    const backoff = new Backoff({ ...RETRY, signal });
    const onRead = () => {
      this.#trouble = null;
      backoff.reset();
    };
    let last = -1;
    spool.rewind();
    while (!signal.aborted) {
      const next = spool.segments.find(({ session }) => session > last);
      if (next === undefined || spool.chainId === null) {
        await spool.changed(signal);
        continue;
      }
      const { session } = next;
      // One that is read again may have been left meanwhile.
      if (session !== this.#session) this.#leaving = new AbortController();
      this.#session = session;
      try {
        yield* this.#readBlocks(this.#placeIn(next), spool.chainId, { signal, onRead });
      } catch (error) {
        if (error instanceof SpoolError) {
          this.#trouble = error.message;
          await spool.waitForDisk(error, backoff);
          continue;
        }
        if (!(error instanceof IngestError)) throw error;
        this.#trouble = null;
        spool.leave(session);
        this.#onFault(error);
      }
      last = session;
    }
  }

  settle(block: SentBlock): void {
    const first = this.#unsettled.shift();
    if (first === undefined || first !== block) return;
    this.#pass(first.sequence);
    this.#spool.trimBefore(first.segment);
  }

  leave(block: SentBlock): boolean {
    const [first] = this.#unsettled;
    if (first === undefined || first !== block) return false;
    if (!this.#spool.segments.some(({ session }) => session > first.session)) return false;
    this.#spool.leave(first.session);
    if (this.#session === first.session) this.#leaving.abort();
    this.#unsettled.shift();
    this.#pass(first.sequence);
    return true;
  }

  /**
   * The segment of a session in which the first record lies that was not read yet. Those before go as the log gets their blocks, also
   * while they are read again; this one stays, as no block behind it was given.
   */
  #placeIn(first: Segment): Segment {
    const isRead = ({ session, first: start }: Segment) =>
      session === first.session && start <= this.#read + 1;
    return this.#spool.segments.findLast(isRead) ?? first;
  }

  /** `onRead` is called at each record that was not read before. */
  async *#readBlocks(
    first: Segment,
    chainId: string,
    { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: () => void },
  ): AsyncGenerator<SpooledBlock, void> {
    const builder = new SentBlockBuilder(this.name, chainId, 'events');
    const { signal: left } = this.#leaving;
    try {
      for await (const record of readSession(this.#spool, first, AbortSignal.any([signal, left]))) {
        const { segment, sequence, payload, at } = record;
        const head = readHeadOf(record);
        const block = builder.takeEvent(head, payload, at);
        // It was read before the disk failed, and its block was given if it ended one.
        if (sequence <= this.#read) continue;
        this.#read = sequence;
        onRead();
        if (head.upgradeAfter !== null)
          this.#notice = { sequence, chainId, lastBlockHeight: head.upgradeAfter };
        if (block !== null) {
          const given = { ...block, segment, session: first.session, sequence };
          this.#unsettled.push(given);
          yield given;
        }
        // What is no block yet is not waited for by anybody.
        if (this.#unsettled.length === 0) this.#pass(sequence);
      }
    } catch (error) {
      if (!left.aborted || signal.aborted) throw error;
    }
  }

  /** All records up to this one are done with; where no block is left, all that were read. */
  #pass(sequence: number): void {
    this.#spool.pass(this.#unsettled.length === 0 ? Math.max(sequence, this.#read) : sequence);
    const notice = this.#notice;
    if (notice === null || this.#unsettled.length > 0) return;
    this.#notice = null;
    this.#onUpgrade(notice);
  }
}

function readHeadOf({ payload, at }: SpooledRecord) {
  try {
    return readHead(payload);
  } catch (error) {
    const reason = (error as Error).message;
    throw new FaultError({ place: at, height: null, reason, event: null }, { cause: error });
  }
}
