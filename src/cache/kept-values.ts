import { LRUCache } from 'lru-cache';
import { type CacheTag, hash } from '../cache/cache-tags.ts';
import { Rejection } from '../errors.ts';
import type { Signal } from '../signal.ts';

/** A value that was just made, and the tags of all that it depends on; null where it is not to be kept. */
export interface Made<Value> {
  readonly value: Value;
  readonly cacheTags: readonly CacheTag[] | null;
}

/** Who waits for a value. */
export interface Waiting {
  /** Aborted when nobody waits any more. */
  readonly signal: Signal;
  /** Lets another one wait along: the signal is aborted when the last of them has left. */
  join(another: this): void;
}

type Make<Value, RequestScope> = (scope: RequestScope) => Promise<Made<Value>>;

export interface KeptValuesOptions<Value> {
  readonly feed: { readonly isFollowing: boolean; readonly latest: { readonly position: bigint } };
  /** What may be kept in all, in the unit of `sizeOf`; 0 turns it off. */
  readonly maxSize: number;
  /** No value takes more than this. */
  readonly maxValueSize: number;
  readonly sizeOf: (value: Value, cacheTags: readonly CacheTag[], key: string) => number;
  /**
   * From when on a value is kept: the first or the second time that its key is asked for, lately. To keep what nobody
   * asks for again costs each that comes once.
   */
  readonly keptFrom: 'first ask' | 'second ask';
  /** Is told of a value that is about to be kept; it calls `onGrown` whenever the value takes more than before. */
  readonly onKeep?: (value: Value, onGrown: () => void) => void;
}

/** How many of the last blocks are known to values that are being made; one that takes longer is not kept. */
const RECENT_BLOCKS = 128;

/**
 * Values, each for as long as no block changes what it read: so each is as a read at the newest published block would
 * give it, which is the block that headers name. Equal questions that come while none is published share one making.
 * Nothing is kept or given while the feed does not follow. Bounded in size, those used last stay.
 */
export class KeptValues<Value extends object, RequestScope extends Waiting = Waiting> {
  readonly #options: KeptValuesOptions<Value>;
  readonly #kept: LRUCache<string, Kept<Value>> | null;
  /** The keys of the kept values that read something. */
  readonly #readers = new Map<CacheTag, Set<string>>();
  readonly #asked: AskedKeys | null;
  readonly #recent: PassedBlock[] = [];
  /** The newest block that is no longer among the recent ones. */
  #forgotten: bigint;
  readonly #running = new Map<string, Running<Value, RequestScope>>();
  #hits = 0;
  #misses = 0;
  #shared = 0;
  readonly #dropped = { touched: 0, crowded: 0 };

  constructor(options: KeptValuesOptions<Value>) {
    const { feed, maxSize, maxValueSize, sizeOf, keptFrom } = options;
    this.#options = options;
    this.#forgotten = feed.latest.position - 1n;
    this.#asked = keptFrom === 'second ask' ? new AskedKeys() : null;
    this.#kept =
      maxSize === 0
        ? null
        : new LRUCache<string, Kept<Value>>({
            maxSize,
            maxEntrySize: maxValueSize,
            sizeCalculation: ({ value, cacheTags }, key) => sizeOf(value, cacheTags, key),
            dispose: ({ cacheTags }, key, reason) => {
              if (reason === 'set') return;
              this.#dropped[reason === 'evict' ? 'crowded' : 'touched'] += 1;
              this.#forget(key, cacheTags);
            },
          });
  }

  /** What is kept in all, in the unit of `sizeOf`. */
  get size(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  /** How it is used, since the start but for `values`, which is how many are kept. */
  get counts(): KeptCounts {
    return {
      values: this.#kept?.size ?? 0,
      hits: this.#hits,
      misses: this.#misses,
      shared: this.#shared,
      dropped: { ...this.#dropped },
    };
  }

  /** The kept value under a key. */
  find(key: string): Value | undefined {
    const value = this.#options.feed.isFollowing ? this.#kept?.get(key)?.value : undefined;
    if (value !== undefined) this.#hits += 1;
    return value;
  }

  /** The value under a key: kept, being made, or made now. Throws what `make` throws, and keeps nothing then. */
  ask(key: string, make: Make<Value, RequestScope>, scope: RequestScope): Promise<Value> {
    return this.#ask(key, make, scope, false);
  }

  #ask(key: string, make: Make<Value, RequestScope>, scope: RequestScope, isAgain: boolean): Promise<Value> {
    const kept = this.find(key);
    if (kept !== undefined) return Promise.resolve(kept);
    const { isFollowing, latest } = this.#options.feed;
    if (this.#kept === null || !isFollowing) {
      this.#misses += 1;
      return make(scope).then(({ value }) => value);
    }
    const isWanted = this.#asked?.add(key) ?? true;
    const running = this.#running.get(key);
    if (running?.position === latest.position && !running.scope.signal.aborted) {
      running.scope.join(scope);
      running.isWanted ||= isWanted;
      this.#shared += 1;
      return running.value.catch((error: unknown) => {
        // It is meant for whom the value was made for, by whose rate and in whose place among those who wait.
        if (!(error instanceof Rejection) || scope.signal.aborted) throw error;
        // The first of those who joined makes it for the others. Once: as many rounds as there are askers are too many.
        return isAgain ? make(scope).then(({ value }) => value) : this.#ask(key, make, scope, true);
      });
    }
    this.#misses += 1;
    const started: Running<Value, RequestScope> = {
      position: latest.position,
      scope,
      isWanted,
      value: NOT_YET,
    };
    this.#running.set(key, started);
    started.value = this.#make(key, started, make);
    return started.value;
  }

  /** Lets go of what a block changes: all, where that is not known. To be called before anybody is told of the block. */
  readonly onBlock = (block: { readonly position: bigint }, cacheTags: readonly CacheTag[] | null): void => {
    if (this.#kept === null) return;
    this.#recent.push({ position: block.position, cacheTags: cacheTags && new Set(cacheTags) });
    if (this.#recent.length > RECENT_BLOCKS) this.#forgotten = this.#recent.shift()?.position ?? 0n;
    if (cacheTags === null) this.#clear();
    else for (const tag of cacheTags) for (const key of this.#readers.get(tag) ?? []) this.#kept.delete(key);
  };

  /** Lets go of all that a block can change: what depends on nothing is true for ever. */
  #clear(): void {
    for (const keys of this.#readers.values()) for (const key of keys) this.#kept?.delete(key);
  }

  async #make(
    key: string,
    running: Running<Value, RequestScope>,
    make: Make<Value, RequestScope>,
  ): Promise<Value> {
    try {
      const { value, cacheTags } = await make(running.scope);
      if (running.isWanted && cacheTags !== null && !this.#wasChangedSince(running.position, cacheTags))
        this.#keep(key, { value, cacheTags });
      return value;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
      // A map that entries come to and go from holds some of them until all garbage is collected: let it be little.
      running.value = NOT_YET;
    }
  }

  #keep(key: string, kept: Kept<Value>): void {
    const { value, cacheTags } = kept;
    this.#kept?.delete(key);
    for (const tag of cacheTags) {
      const keys = this.#readers.get(tag);
      if (keys === undefined) this.#readers.set(tag, new Set([key]));
      else keys.add(key);
    }
    this.#options.onKeep?.(value, () => {
      if (this.#kept?.peek(key)?.value === value) this.#put(key, { value, cacheTags });
    });
    this.#put(key, kept);
  }

  #put(key: string, kept: Kept<Value>): void {
    this.#kept?.set(key, kept);
    // One that is too large is refused without a word.
    if (this.#kept?.peek(key) !== kept) this.#forget(key, kept.cacheTags);
  }

  #forget(key: string, cacheTags: readonly CacheTag[]): void {
    for (const tag of cacheTags) {
      const keys = this.#readers.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#readers.delete(tag);
    }
  }

  #wasChangedSince(position: bigint, cacheTags: readonly CacheTag[]): boolean {
    if (cacheTags.length === 0) return false;
    if (position < this.#forgotten) return true;
    const since = this.#recent.filter((block) => block.position > position);
    return since.some(
      (block) => block.cacheTags === null || cacheTags.some((tag) => block.cacheTags?.has(tag)),
    );
  }
}

/** How kept values are used. */
export interface KeptCounts {
  readonly values: number;
  /** How often a value was kept, was not, and was just being made for another. */
  readonly hits: number;
  readonly misses: number;
  readonly shared: number;
  /** How many were let go of: because a block changed what they read, or for want of room. */
  readonly dropped: Readonly<Record<'touched' | 'crowded', number>>;
}

interface Kept<Value> {
  readonly value: Value;
  readonly cacheTags: readonly CacheTag[];
}

/** A value that is being made, for all who ask for it. */
interface Running<Value, RequestScope> {
  readonly position: bigint;
  readonly scope: RequestScope;
  /** Whether it is to be kept. */
  isWanted: boolean;
  value: Promise<Value>;
}

/** Stands for the promise until that is there, which is before anybody can look. */
const NOT_YET = new Promise<never>(() => {});

interface PassedBlock {
  readonly position: bigint;
  readonly cacheTags: ReadonlySet<CacheTag> | null;
}

/** How many keys are remembered: at 5,000 new ones a second those of the last ten seconds or so. It takes 256 kB. */
const ASKED_KEYS = 65_536;

/** Which keys were asked for lately. One that takes another's place makes it forgotten; no key is taken for long. */
class AskedKeys {
  readonly #hashes = new Int32Array(ASKED_KEYS);

  /** Adds a key; gives whether it was there. Of those that are not, one in four billions seems to be. */
  add(key: string): boolean {
    const hashed = hash(key);
    const place = hashed & (ASKED_KEYS - 1);
    const isKnown = this.#hashes[place] === hashed;
    this.#hashes[place] = hashed;
    return isKnown;
  }
}
