/** What is assumed of a network, of those who ask, and of how full machines may be. All of it is printed in docs/capacity.md. */

/** Mainnet's volume: blocks in days, and the events of a block, which is the most of what recorded networks have (6 to 26). */
export const MAINNET = { blocks: 22_000_000n, days: 230n, eventsPerBlock: 26n } as const;
/** Of an event as the core sends it, the most of what recorded networks have (284 to 370). */
export const EVENT_BYTES = 370n;

/** How many times mainnet's blocks a second. */
export const VOLUMES = [1n, 100n] as const;

/** Followers, or requests a second; and over how many regions they are spread. */
export const SCALES = [
  { count: 10_000n, name: '10 thousand', regions: 1n },
  { count: 1_000_000n, name: '1 million', regions: 3n },
  { count: 100_000_000n, name: '100 million', regions: 10n },
] as const satisfies readonly Scale[];

/** So many who follow, or ask each second. */
export interface Scale {
  readonly count: bigint;
  readonly name: string;
  readonly regions: bigint;
}

/** One of two follows a market, which each block changes; the other follows accounts of their own. */
export const FOLLOWERS = {
  ofMarketsPercent: 50n,
  markets: 20n,
  /** A proxy sends those who follow one market to the same gateways, so that a process has the news of so few to make. */
  marketsOfProcess: 2n,
  messageBytes: 1_000n,
  /** Accounts that a block changes, each of which one follower has. */
  accountsPerBlock: 10n,
} as const;

/** Of a hundred requests. */
export const REQUESTS = {
  /** The same for all, in front of which stand caches; at so many addresses in so many places a region. */
  sharedPercent: 80n,
  sharedAddresses: 1_000n,
  cachesPerRegion: 4n,
  /** A cache asks so often a second for each address: `s-maxage=1`. */
  asksPerSecond: 1n,
  /** Of a client's own, asked again before a block changed it: half of them with `If-None-Match`. */
  keptPercent: 15n,
  /** What nobody asked before: half of them a row, half a page of 20. */
  coldPercent: 5n,
} as const;

export const MACHINES = {
  /** How busy processors may be, of a hundred: the model says why. */
  busyPercent: 60n,
  /** More streams than this were never measured on one process. */
  streamsPerProcess: 10_000n,
  processesPerGateway: 8n,
  poolSize: 10n,
  /** A server of the database, and of a gateway's, has so many cores; so much memory for each of the database's. */
  coresPerServer: 16n,
  databaseGbPerCore: 4n,
  logServers: 3n,
  logDays: 30n,
  /** There and back between the relay and the log, and from there to a region. */
  logWayMs: 20n,
  /** Of what a region keeps. */
  historyDays: 365n,
} as const;

export const DAY_SECONDS = 86_400n;
export const MONTH_SECONDS = 30n * DAY_SECONDS;
