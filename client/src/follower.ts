import { delayBefore } from './backoff.ts';
import { classify, delayIn, MOST_BEHIND, RefusedError, type SentError } from './errors.ts';
import { type Asked, ageOf, type FollowedBlock, type Message, type Rows, toMessage } from './messages.ts';
import type { Parts } from './parts.ts';
import { type Effect, type Event, type State, type Step, TABLE } from './states.ts';
import type { Result, Transport } from './transports/transport.ts';

type Told = FollowedBlock<Rows>;

interface Reader {
  readonly resolve: (result: IteratorResult<Told, undefined>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Follows one subscription through whatever happens to its connections. What it does when is said by `TABLE` alone. */
export class Follower implements AsyncIterableIterator<Told, undefined> {
  readonly #parts: Parts;
  #variables: Asked['variables'];
  #state: State = 'idle';
  #cursor: string | null;
  /** The pages of a snapshot that is not whole yet. */
  #pages: Message[] = [];
  /** Whether somebody has something that a new snapshot makes void. */
  #hasTold: boolean;
  readonly #waiting: Told[] = [];
  #isFullSeen = false;
  readonly #readers: Reader[] = [];
  #failure: unknown = null;
  #newest: Told['block'] | null = null;
  #disconnect = () => {};
  #stopClock = () => {};
  /** How often it has waited, which leads to the next address each time, and how often it had when something came last. */
  #waits = 0;
  #waitsBefore = 0;
  /** The transport that brought something last, and how many of the others were tried since then, one after the other. */
  #working = 0;
  #tried = 0;
  /** How many gateways in turn did not have the block of the cursor yet. */
  #behind = 0;
  /** The message, and the errors, that the event is about. */
  #message: Message | null = null;
  #errors: readonly SentError[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#variables = parts.asked.variables;
    this.#cursor = parts.after;
    this.#hasTold = parts.after !== null;
  }

  get state(): State {
    return this.#state;
  }

  get asked(): Asked {
    return this.#parts.asked;
  }

  /** Goes on after a cursor, before anything is asked for. */
  goOnAfter(cursor: string): void {
    if (this.#state !== 'idle') return;
    this.#cursor = cursor;
    this.#hasTold = true;
  }

  /** How old the newest block is that was told; null before the first. */
  get behindMs(): number | null {
    return this.#newest === null ? null : ageOf(this.#newest, this.asked);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Rejects once, where the gateway refuses for a reason that stays, with a `RefusedError`. One block waits for each call. */
  next(): Promise<IteratorResult<Told, undefined>> {
    if (this.#state === 'idle') this.#take('begin');
    const told = this.#waiting.shift();
    if (told !== undefined) {
      if (this.#waiting.length === 0) this.#take('taken');
      return Promise.resolve({ value: told, done: false });
    }
    if (this.#state === 'ended') return this.#end();
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  async return(): Promise<IteratorResult<Told, undefined>> {
    this.#waiting.length = 0;
    this.#take('abort');
    return { value: undefined, done: true };
  }

  async #end(): Promise<IteratorResult<Told, undefined>> {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
    return { value: undefined, done: true };
  }

  #take(event: Event): void {
    const entry = TABLE[this.#state][event];
    if (entry === 'stay') return;
    if (entry === 'never') throw new Error(`${event} cannot come while ${this.#state}.`);
    const { to, do: effects } = entry as Step;
    this.#state = to;
    for (const effect of effects) this.#effects[effect]();
    if (this.#isFull && !this.#isFullSeen) this.#lookAgain();
  }

  get #isFull(): boolean {
    return this.#state === 'live' && this.#waiting.length >= this.#parts.mostWaiting;
  }

  /** Blocks that come at once wait for a turn: a reader who only needs that is not slow, and a connection costs much more. */
  #lookAgain(): void {
    this.#isFullSeen = true;
    this.asked.environment.after(0, () => {
      this.#isFullSeen = false;
      if (this.#isFull) this.#take('full');
    });
  }

  readonly #effects: Readonly<Record<Effect, () => void>> = {
    connect: () => this.#connect(),
    disconnect: () => {
      this.#disconnect();
      this.#stopClock();
    },
    keep: () => this.#keep(),
    'give snapshot': () => this.#giveSnapshot(),
    'give changes': () => this.#give('changes', this.#message?.updates ?? {}),
    'give reached': () => this.#give('reached', {}),
    forget: () => {
      this.#cursor = null;
      this.#pages = [];
      this.#behind = 0;
    },
    wait: () => this.#wait(0),
    'wait as told': () => this.#wait(delayIn(this.#errors)),
    throw: () => {
      this.#failure = new RefusedError(this.#errors);
      this.#settle();
    },
    end: () => this.#settle(),
  };

  /**
   * Addresses are taken in turns, another after each wait. At each all transports are tried at once, beginning with the one that brought something last: so
   * whoever was without a gateway for a while does not end with another transport by chance.
   */
  #connect(): void {
    const { transports, silenceMs } = this.#parts;
    const { urls, query, environment } = this.asked;
    const place = (this.#working + this.#tried) % transports.length;
    const transport = transports[place] as Transport;
    const url = urls[this.#waits % urls.length] as string;
    let isOpen = true;
    let hasMessages = false;
    let lastBeat = environment.now();
    const passOver = () => {
      if (!hasMessages) this.#tried = (this.#tried + 1) % transports.length;
    };
    const lose = () => {
      if (!isOpen) return;
      passOver();
      this.#take('lost');
    };
    const watch = (milliseconds: number) => {
      this.#stopClock = environment.after(milliseconds, () => {
        // A clock that was set back has no silence of hours.
        lastBeat = Math.min(lastBeat, environment.now());
        const left = lastBeat + silenceMs - environment.now();
        if (left > 0) watch(left);
        else lose();
      });
    };
    watch(silenceMs);
    const close = transport.open(
      { url, query, variables: { ...this.#variables, after: this.#cursor }, silenceMs },
      {
        onBeat: () => {
          lastBeat = environment.now();
        },
        onResult: (result) => {
          if (!isOpen) return;
          const hasData = result.data != null;
          // A refusal, as for want of room, says nothing of the transports before this one.
          if (hasData) this.#working = place;
          hasMessages ||= hasData || classify(result.errors ?? []) !== 'lost';
          if (hasMessages) this.#tried = 0;
          else passOver();
          this.#read(result);
        },
        onEnd: lose,
      },
    );
    this.#disconnect = () => {
      isOpen = false;
      close();
    };
  }

  #read({ data, errors }: Result): void {
    const { asked, isSeries, rowsOf } = this.#parts;
    const sent = data?.[asked.field] as Message | null | undefined;
    const message = sent != null && isSeries ? toMessage(sent, this.#cursor === null, rowsOf) : sent;
    let event: Event | null = 'lost';
    if (errors?.length) {
      this.#errors = errors;
      const found = classify(errors);
      event = found === 'behind' ? (++this.#behind > MOST_BEHIND ? 'forgotten' : 'lost') : found;
      // Without a cursor it is what is asked for that is not kept.
      if (event === 'forgotten' && this.#cursor === null) event = 'refused';
      // What is refused of a series may be its cursor. Without one, what it was asked for from on is too much by now, or not kept: then it
      // begins with what is under way.
      if (event === 'refused' && this.#hasTold && this.#variables['from'] != null) {
        if (this.#cursor === null) this.#variables = { ...this.#variables, from: null };
        event = 'forgotten';
      }
    } else if (message != null) {
      this.#message = message;
      this.#behind = 0;
      event = this.#eventOf(message);
    }
    if (event !== null) this.#take(event);
  }

  /** Null for what says nothing: progress amid a snapshot, or of a gateway that is behind. */
  #eventOf({ block, snapshot, updates }: Message): Event | null {
    const isPartial = this.#pages.length > 0;
    if (snapshot != null) {
      // All pages are of one block, and none comes behind the last.
      const isTorn = isPartial ? this.#pages[0]?.block.height !== block.height : this.#cursor !== null;
      if (isTorn) return 'torn';
      return snapshot.lastPage ? 'lastPage' : 'page';
    }
    // A gateway that is behind the last one has nothing to say yet.
    const isOld = BigInt(block.height) < BigInt(this.#newest?.height ?? 0);
    const isNext = !(isPartial || this.#cursor === null || isOld);
    if (updates == null) return isNext ? 'reached' : null;
    return isNext ? 'changes' : 'torn';
  }

  #keep(): void {
    const message = this.#message as Message;
    this.#pages.push(message);
    this.#cursor = message.cursor;
    this.#waitsBefore = this.#waits;
  }

  #giveSnapshot(): void {
    const rows = Object.fromEntries(
      Object.keys(this.asked.lists).map((list) => [
        list,
        this.#pages.flatMap(({ snapshot }) => snapshot?.[list] ?? []),
      ]),
    );
    this.#pages = [];
    this.#give('snapshot', rows, this.#hasTold);
  }

  #give(kind: Told['kind'], rows: Rows, isReset = false): void {
    const { block, cursor } = this.#message as Message;
    this.#waitsBefore = this.#waits;
    if (kind === 'reached') {
      // Of blocks alone each is told, and the last of them not again by a gateway that one comes back to.
      const isBlocks = Object.keys(this.asked.lists).length === 0;
      if (isBlocks && cursor === this.#cursor) return;
      // Of what nothing came of, the newest says all.
      if (!isBlocks && this.#waiting.at(-1)?.kind === kind) this.#waiting.pop();
    }
    this.#cursor = cursor;
    this.#newest = block;
    this.#hasTold = true;
    const told = { kind, block, cursor, rows, isReset };
    const reader = this.#readers.shift();
    if (reader === undefined) this.#waiting.push(told);
    else reader.resolve({ value: told, done: false });
  }

  #wait(told: number): void {
    const { environment } = this.asked;
    const isNextTransport = this.#tried > 0 && told === 0;
    const attempt = this.#waits - this.#waitsBefore;
    const delay = isNextTransport ? 0 : delayBefore(attempt, told, environment.random());
    if (!isNextTransport) this.#waits += 1;
    this.#stopClock = environment.after(delay, () => this.#take('due'));
  }

  /** Tells whoever waits that nothing more comes. */
  #settle(): void {
    this.#stopClock();
    this.#parts.onEnd();
    for (const { resolve, reject } of this.#readers.splice(0)) this.#end().then(resolve, reject);
  }
}
