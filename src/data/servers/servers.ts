import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import { heightOf } from '../../domain/positions.ts';
import type { Database } from './client.ts';
import { type ServerSight, type ServerWatch, watchServer } from './server-watch.ts';
import type { Floor } from './statements.ts';

/** How each server is watched: one that says nothing is away before those who ask of it give up. */
const WATCH = { lookMs: 1_000, answerMs: 1_000, retryMs: 1_000 } as const;
/** A replica has to be there and within the bound for so long before a primary is left for it: moving drops what is under way. */
const SETTLED_MS = 5_000;
/** How often servers are looked at while none can be read. */
const HURRY_MS = 50;
const START_LIMIT_MS = 10_000;
const START_LOOK_MS = 20;

export interface ServersOptions {
  /** The primary's address first, as it is set; another may be promoted. */
  readonly urls: readonly string[];
  /** A server that is more blocks behind the newest known is not read. */
  readonly maxLagBlocks: number;
  /** The migration whose tables are asked for: a server that has not come as far is not read. */
  readonly migration: string;
  /** Whether a primary is read where no replica is fit. */
  readonly readsPrimary: boolean;
  readonly floor: Floor;
  /** Opens the tables of a server. What it gives is closed here. */
  readonly open: (url: string) => Database;
  readonly logger: Logger;
}

/** How a server stands, for whoever runs the gateway. Its address is not shown. */
export interface ServerStatus {
  /** The setting that names it. */
  readonly name: string;
  /**
   * `behind` lacks blocks that were answered from already, or tables of this version, `lagging` is beyond the bound, `spare` is a primary that is
   * not read as long as a replica is fit.
   */
  readonly state: 'used' | 'fit' | 'spare' | 'lagging' | 'behind' | 'away';
  readonly role: 'primary' | 'replica' | null;
  readonly height: string | null;
  /** How many blocks it was behind the newest known when it was looked at last. */
  readonly lagBlocks: string | null;
}

/** What is told of the servers: that one is read from now on, or looked at, or that the writer notified of a block. */
export interface ServersEvents {
  onChange(): void;
  onBlock(height: bigint | null): void;
}

/**
 * The servers of one network, of which one is read at a time: a replica that answers, is within the bound and has all
 * that was read before, each gateway another by chance; the primary where none is. It is left when it is lost, falls
 * behind or is promoted. Whoever starts it closes it.
 */
export class Servers {
  readonly #options: ServersOptions;
  /** In the order of the settings, and in that of their preference. */
  readonly #named: readonly Server[];
  readonly #servers: readonly Server[];
  readonly #closing = new Set<Promise<void>>();
  #events: ServersEvents | null = null;
  #used: Server | null = null;
  /** The newest block that any server was known to have. */
  #newest = 0n;
  #hurrying: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(options: ServersOptions) {
    this.#options = options;
    this.#named = options.urls.map(
      (url, index) => new Server(index === 0 ? PRIMARY : replicaName(index), url),
    );
    this.#servers = shuffled(this.#named);
    for (const server of this.#named) server.watch = this.#watch(server);
  }

  /** Starts to watch them. Resolves when one can be read, or none could for a while: then it may come yet. */
  static async start(options: ServersOptions): Promise<Servers> {
    const servers = new Servers(options);
    const backoff = new Backoff({ firstMs: START_LOOK_MS, deadlineMs: START_LIMIT_MS });
    while (servers.#used === null && (await backoff.wait()));
    return servers;
  }

  /** The tables of the server that is read; null while none is fit. */
  get used(): Database | null {
    return this.#used?.database ?? null;
  }

  /** Whether the server that is read repeats another's writes, so that a block may be told before it is there. */
  get isReplica(): boolean {
    return this.#used?.sight?.isReplica ?? false;
  }

  /** Whether a server is there that tells of new blocks. */
  get isTold(): boolean {
    return this.#servers.some(({ sight }) => sight !== null && !sight.isReplica);
  }

  /** Tells of them from now on; null where nobody listens any more. */
  listen(events: ServersEvents | null): void {
    this.#events = events;
  }

  /** How each stands, in the order of the settings. */
  describe(): readonly ServerStatus[] {
    return this.#named.map((server) => {
      const { name, sight, lag } = server;
      const role = sight === null ? null : sight.isReplica ? 'replica' : 'primary';
      const [height, lagBlocks] = sight === null ? [null, null] : [`${this.#heightOf(server)}`, `${lag}`];
      return { name, state: this.#stateOf(server), role, height, lagBlocks };
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#events = null;
    if (this.#hurrying !== null) clearTimeout(this.#hurrying);
    await Promise.all(this.#servers.map(({ watch }) => watch?.close()));
    this.#leave();
    await Promise.all(this.#closing);
  }

  #watch(server: Server): ServerWatch {
    const events = {
      onSight: (sight: ServerSight) => {
        this.#see(sight.height);
        server.isTried = true;
        server.sight = sight;
        // While none is read, as at the start, all were looked at just now, and some before the newest was known.
        const looked = this.#used === null ? this.#servers : [server];
        for (const one of looked) one.lag = this.#newest - this.#heightOf(one);
        this.#choose();
        this.#events?.onChange();
        this.#events?.onBlock(this.#newest);
      },
      // What is notified is a wake-up only: anybody who may connect can say any height.
      onBlock: (height: bigint | null) => this.#events?.onBlock(height),
      onLost: (err: Error) => {
        if (server.sight !== null)
          this.#options.logger.warn({ err, server: server.name }, 'a server was lost');
        server.isTried = true;
        server.sight = null;
        server.settledSince = null;
        this.#choose();
        this.#events?.onChange();
      },
    };
    return watchServer(server.url, events, WATCH);
  }

  #see(height: bigint): void {
    if (height > this.#newest) this.#newest = height;
  }

  /** What is read has come as far as the floor, which may be after it was looked at. */
  #heightOf(server: Server): bigint {
    const seen = server.sight?.height ?? 0n;
    const read = server === this.#used ? heightOf(this.#options.floor.position) : 0n;
    return seen > read ? seen : read;
  }

  #stateOf(server: Server): ServerStatus['state'] {
    const { sight, lag } = server;
    if (sight === null) return 'away';
    if (lag > BigInt(this.#options.maxLagBlocks)) return 'lagging';
    if (sight.migration < this.#options.migration) return 'behind';
    if (server === this.#used) return 'used';
    if (sight.position < this.#options.floor.position) return 'behind';
    return sight.isReplica ? 'fit' : 'spare';
  }

  #choose(): void {
    // The first that answers need not be the one to read.
    if (this.#isClosed || this.#servers.some(({ isTried }) => !isTried)) return;
    const states = new Map(this.#servers.map((server) => [server, this.#stateOf(server)]));
    for (const [server, state] of states) {
      // What a replica lacked when it was looked at, before the newest block, says nothing of how well it follows.
      const isSettled = state !== 'away' && state !== 'lagging';
      server.settledSince = isSettled ? (server.settledSince ?? performance.now()) : null;
    }
    this.#move(states);
    if (this.#used === null) this.#hurry();
  }

  /** Who waits for a server is not to wait for the next look at one that will do by then. */
  #hurry(): void {
    this.#hurrying ??= setTimeout(() => {
      this.#hurrying = null;
      for (const { watch } of this.#servers) watch?.look();
    }, HURRY_MS);
  }

  #move(states: ReadonlyMap<Server, ServerStatus['state']>): void {
    const used = this.#used;
    const isKept = used !== null && states.get(used) === 'used' && this.#mayRead(used);
    const settledBy = performance.now() - SETTLED_MS;
    const better = this.#servers.find(
      (server) => states.get(server) === 'fit' && (!isKept || (server.settledSince ?? Infinity) <= settledBy),
    );
    if (isKept && (used.sight?.isReplica || better === undefined)) return;
    const spare = this.#servers.find((server) => states.get(server) === 'spare' && this.#mayRead(server));
    const next = better ?? spare ?? null;
    if (next === used) return;
    this.#leave();
    if (next !== null) this.#take(next);
    else this.#options.logger.warn({ servers: this.describe() }, 'no server is fit to be read');
  }

  #mayRead({ sight }: Server): boolean {
    return this.#options.readsPrimary || sight?.isReplica === true;
  }

  #take(server: Server): void {
    server.database = this.#options.open(server.url);
    this.#used = server;
    this.#options.logger.info({ server: server.name, replica: server.sight?.isReplica }, 'reading from');
  }

  #leave(): void {
    const left = this.#used;
    const database = left?.database ?? null;
    this.#used = null;
    if (left === null || database === null) return;
    left.database = null;
    // Who waits for one that is lost asks another.
    if (left.sight === null) database.cut();
    const closing = database.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

class Server {
  readonly name: string;
  readonly url: string;
  watch: ServerWatch | null = null;
  /** Whether it has answered, or failed to, once. */
  isTried = false;
  /** How it stood when it was looked at last; null while it is away. */
  sight: ServerSight | null = null;
  lag = 0n;
  /** Since when it answers, and is within the bound. */
  settledSince: number | null = null;
  /** Its tables, while it is the one that is read. */
  database: Database | null = null;

  constructor(name: string, url: string) {
    this.name = name;
    this.url = url;
  }
}

const PRIMARY = 'DATABASE_URL';

function replicaName(number: number): string {
  return `DATABASE_REPLICA_URLS ${number}`;
}

/** In an order of chance, so that gateways spread over them. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
