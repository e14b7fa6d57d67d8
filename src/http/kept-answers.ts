import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';
import { type Asker, Askers, NOBODY } from './asker.ts';

/** What an answer reads and a block changes, as a number; `data/touches.ts` says which. */
type Touch = number;

/** An answer that was just made, and all that it read; null where that cannot be named. */
export interface MadeAnswer {
  readonly answer: Answer;
  readonly touches: readonly Touch[] | null;
}

/** Where the feed of blocks stands. */
export interface FeedState {
  /** The position of the newest block that was published. */
  readonly latest: { readonly position: bigint };
  /** Whether every block is published soon after it is there. */
  readonly isFollowing: boolean;
}

/** How many of the last blocks are known to answers that are being made; one that takes longer is not kept. */
const RECENT_BLOCKS = 128;
/** No answer takes more than this part of the room. */
const LARGEST_PART = 16;
/** What an answer takes besides its bytes: its headers and its places in the maps. */
const OVERHEAD = { answer: 1536, touch: 128 } as const;

/**
 * Answers, each for as long as no block changes what it read: so each is as a read at the newest published block would
 * give it, which is the block that headers name. Equal questions that come while none is published share one reading.
 * Nothing is kept or given while the feed does not follow. Bounded in bytes, those used last stay.
 */
export class KeptAnswers {
  readonly #feed: FeedState;
  readonly #kept: LRUCache<string, Kept> | null;
  /** The keys of the kept answers that read something. */
  readonly #readers = new Map<Touch, Set<string>>();
  readonly #recent: PassedBlock[] = [];
  /** The newest block that is no longer among the recent ones. */
  #forgotten: bigint;
  readonly #running = new Map<string, Running>();

  /** `maxBytes` of 0 turns it off. */
  constructor(maxBytes: number, feed: FeedState) {
    this.#feed = feed;
    this.#forgotten = feed.latest.position - 1n;
    this.#kept =
      maxBytes === 0
        ? null
        : new LRUCache<string, Kept>({
            maxSize: maxBytes,
            maxEntrySize: Math.floor(maxBytes / LARGEST_PART),
            sizeCalculation: bytesOf,
            dispose: ({ touches }, key, reason) => {
              if (reason !== 'set') this.#forget(key, touches);
            },
          });
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  /** The kept answer under a key. */
  find(key: string): Answer | undefined {
    return this.#feed.isFollowing ? this.#kept?.get(key)?.answer : undefined;
  }

  /** The answer under a key: kept, being made, or made now. Throws what `make` throws, and keeps nothing then. */
  ask(key: string, make: (asker: Asker) => Promise<MadeAnswer>, asker: Asker = NOBODY): Promise<Answer> {
    const kept = this.find(key);
    if (kept !== undefined) return Promise.resolve(kept);
    if (this.#kept === null || !this.#feed.isFollowing) return make(asker).then(({ answer }) => answer);
    const { position } = this.#feed.latest;
    const running = this.#running.get(key);
    if (running?.position === position && !running.askers.signal.aborted) {
      running.askers.join(asker);
      return running.answer;
    }
    const askers = new Askers(asker);
    const started = { position, askers, answer: this.#make(key, position, () => make(askers)) };
    this.#running.set(key, started);
    const end = () => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    };
    started.answer.then(end, end);
    return started.answer;
  }

  /** Lets go of what a block changes: all, where that is not known. To be called before anybody is told of the block. */
  readonly onBlock = (block: { readonly position: bigint }, touched: readonly Touch[] | null): void => {
    if (this.#kept === null) return;
    this.#recent.push({ position: block.position, touched: touched && new Set(touched) });
    if (this.#recent.length > RECENT_BLOCKS) this.#forgotten = this.#recent.shift()?.position ?? 0n;
    if (touched === null) this.#kept.clear();
    else
      for (const touch of touched) for (const key of this.#readers.get(touch) ?? []) this.#kept.delete(key);
  };

  async #make(key: string, position: bigint, make: () => Promise<MadeAnswer>): Promise<Answer> {
    const { answer, touches } = await make();
    if (touches !== null && !this.#wasTouchedSince(position, touches)) this.#keep(key, { answer, touches });
    return answer;
  }

  #keep(key: string, kept: Kept): void {
    const { answer, touches } = kept;
    this.#kept?.delete(key);
    for (const touch of touches) {
      const keys = this.#readers.get(touch);
      if (keys === undefined) this.#readers.set(touch, new Set([key]));
      else keys.add(key);
    }
    this.#put(key, kept);
    answer.onGrown = () => {
      if (this.#kept?.peek(key)?.answer === answer) this.#put(key, { answer, touches });
    };
  }

  #put(key: string, kept: Kept): void {
    this.#kept?.set(key, kept);
    // One that is too large is refused without a word.
    if (this.#kept?.peek(key) !== kept) this.#forget(key, kept.touches);
  }

  #forget(key: string, touches: readonly Touch[]): void {
    for (const touch of touches) {
      const keys = this.#readers.get(touch);
      keys?.delete(key);
      if (keys?.size === 0) this.#readers.delete(touch);
    }
  }

  #wasTouchedSince(position: bigint, touches: readonly Touch[]): boolean {
    if (position < this.#forgotten) return true;
    const since = this.#recent.filter((block) => block.position > position);
    return since.some(({ touched }) => touched === null || touches.some((touch) => touched.has(touch)));
  }
}

interface Kept {
  readonly answer: Answer;
  readonly touches: readonly Touch[];
}

/** An answer that is being made, for all who ask for it. */
interface Running {
  readonly position: bigint;
  readonly askers: Askers;
  readonly answer: Promise<Answer>;
}

interface PassedBlock {
  readonly position: bigint;
  readonly touched: ReadonlySet<Touch> | null;
}

function bytesOf({ answer, touches }: Kept, key: string): number {
  return OVERHEAD.answer + 2 * key.length + OVERHEAD.touch * touches.length + answer.bytes;
}
