import type { Costs, Work } from './costs.ts';
import type { Prices } from './prices.ts';
import {
  DAY_SECONDS,
  EVENT_BYTES,
  FOLLOWERS,
  MACHINES,
  MAINNET,
  MONTH_SECONDS,
  REQUESTS,
  type Scale,
} from './scenarios.ts';

/** What is needed, over all regions: whole numbers, rounded up. */
export interface Need {
  /** Processes that serve, and the cores that they and the databases, writers and the log keep busy, with room. */
  readonly processes: bigint;
  readonly gatewayCores: bigint;
  readonly databaseServers: bigint;
  readonly databaseCores: bigint;
  readonly ingestCores: bigint;
  readonly memoryGb: bigint;
  /** Clients' connections, and those to the busiest database server. */
  readonly clientConnections: bigint;
  readonly databaseConnections: bigint;
  readonly diskGb: bigint;
  /** To clients, in megabits a second. */
  readonly megabits: bigint;
  /** A month, in whole units of the currency. */
  readonly money: bigint;
  /** Of the money, for what leaves for clients. */
  readonly moneyOut: bigint;
}

const SECOND_NS = 1_000_000_000n;
const GB = 1_000_000_000n;

/** What followers need, each on a connection of their own. */
export function sizeFollowers(scale: Scale, volume: bigint, costs: Costs, prices: Prices): Need {
  const { count } = scale;
  const ofMarkets = (count * FOLLOWERS.ofMarketsPercent) / 100n;
  const perSecond = perBlock(ofMarkets, volume);
  const changes = perBlock(FOLLOWERS.accountsPerBlock, volume);
  const least = atLeast(ceil(count, MACHINES.streamsPerProcess), 2n * scale.regions);
  const sent = perSecond * BigInt(costs.ns.message) + changes * BigInt(costs.ns.change);
  // Each process reads each block, and makes the message of each of its markets once, which all who follow that share.
  const workOf = (processes: bigint) =>
    sent + perBlock(processes * marketsOf(processes), volume) * BigInt(costs.ns.change);
  const processes = findLeast(least, (some) => coresOf(workOf(some)) <= some);
  const reads = perBlock(processes, volume);
  return finish(
    { scale, volume, costs, prices },
    {
      processes,
      gatewayCores: coresOf(workOf(processes)),
      databaseNs: reads * BigInt(costs.ns.row.database),
      streams: count,
      connections: count,
      bytesPerSecond: (perSecond + changes) * FOLLOWERS.messageBytes,
    },
  );
}

/** How many markets a process has followers of: few, where there are processes enough to divide them. */
export function marketsOf(processes: bigint): bigint {
  return atLeast(ceil(FOLLOWERS.markets, processes), FOLLOWERS.marketsOfProcess);
}

/** More than anybody has. */
const MOST_PROCESSES = 10_000_000n;

/** The least number that is enough. Throws where none is: each process that is added takes more than it gives. */
function findLeast(from: bigint, isEnough: (processes: bigint) => boolean): bigint {
  let [least, most] = [from, from];
  while (!isEnough(most)) {
    if (most > MOST_PROCESSES) throw new RangeError('No number of processes is enough.');
    [least, most] = [most + 1n, most * 2n];
  }
  while (least < most) {
    const middle = (least + most) / 2n;
    if (isEnough(middle)) most = middle;
    else least = middle + 1n;
  }
  return least;
}

/** What so many requests a second need, with a cache in front of what is the same for all. */
export function sizeRequests(scale: Scale, volume: bigint, costs: Costs, prices: Prices): Need {
  const { count } = scale;
  const part = (percent: bigint) => (count * percent) / 100n;
  const passed = passedByCaches(scale);
  const kept = part(REQUESTS.keptPercent) + passed;
  const cold = part(REQUESTS.coldPercent);
  const { ns, bytes } = costs;
  // What a block changes is made anew once by each region's processes; the rest of the caches' questions is kept.
  const process = kept * mean(ns.kept, ns.notModified).process + cold * mean(ns.row, ns.page).process;
  const cores = coresOf(process);
  const processes = atLeast(cores, 2n * scale.regions);
  const anew = anewPerSecond(processes, passed, volume);
  const database = cold * mean(ns.row, ns.page).database + anew * BigInt(ns.row.database);
  const whole = process + anew * BigInt(ns.row.process);
  const body = part(REQUESTS.sharedPercent) * BigInt(bytes.marketData) + (kept * BigInt(bytes.page)) / 2n;
  return finish(
    { scale, volume, costs, prices },
    {
      processes: atLeast(processes, coresOf(whole)),
      gatewayCores: coresOf(whole),
      databaseNs: database,
      streams: 0n,
      // A client that asks once in ten seconds keeps its connection; the shared part ends at the caches.
      connections: (count - part(REQUESTS.sharedPercent)) * 10n,
      bytesPerSecond: body + (cold * BigInt(bytes.row + bytes.page)) / 2n,
    },
  );
}

/** What caches let through: no more than there is. */
export function passedByCaches({ count, regions }: Scale): bigint {
  const shared = (count * REQUESTS.sharedPercent) / 100n;
  const most = regions * REQUESTS.cachesPerRegion * REQUESTS.sharedAddresses * REQUESTS.asksPerSecond;
  return shared < most ? shared : most;
}

/** How often processes make anew what they kept: at each block, but no more often than they are asked. */
function anewPerSecond(processes: bigint, passed: bigint, volume: bigint): bigint {
  const most = perBlock(processes * REQUESTS.sharedAddresses, volume);
  return passed < most ? passed : most;
}

/** So many for each block, a second. */
export function perBlock(many: bigint, volume: bigint): bigint {
  return ceil(many * volume * MAINNET.blocks, MAINNET.days * DAY_SECONDS);
}

interface Demand {
  readonly processes: bigint;
  readonly gatewayCores: bigint;
  /** Of statements that read, a second, over all regions. */
  readonly databaseNs: bigint;
  readonly streams: bigint;
  readonly connections: bigint;
  readonly bytesPerSecond: bigint;
}

interface Given {
  readonly scale: Scale;
  readonly volume: bigint;
  readonly costs: Costs;
  readonly prices: Prices;
}

/** Adds what a region has whatever it serves: its writer, a spare server, its part of the log; and what all of it costs. */
function finish({ scale, volume, costs, prices }: Given, demand: Demand): Need {
  const { regions } = scale;
  const events = perBlock(MAINNET.eventsPerBlock, volume);
  const blocks = perBlock(1n, volume);
  const written = coresOf(events * BigInt(costs.ns.event.process));
  const applied = events * BigInt(costs.ns.event.database);
  const log = coresOf(blocks * BigInt(costs.ns.relayedBlock + costs.ns.loggedBlock));
  // A replica repeats what the primary writes: as much at most.
  const room = (MACHINES.coresPerServer * MACHINES.busyPercent * SECOND_NS) / 100n - applied;
  const readers = atLeast(ceil(ceil(demand.databaseNs, regions), atLeast(room, 1n)), 1n);
  const servers = regions * (readers + 1n);
  const databaseCores = coresOf(demand.databaseNs + servers * applied);
  const gateways = ceil(ceil(demand.processes, regions), MACHINES.processesPerGateway);
  const memory =
    demand.processes * BigInt(costs.memory.asked) +
    demand.streams * BigInt(costs.memory.stream) +
    databaseCores * MACHINES.databaseGbPerCore * GB;
  const disk =
    servers * events * DAY_SECONDS * MACHINES.historyDays * BigInt(costs.bytes.storedEvent) +
    MACHINES.logServers * events * DAY_SECONDS * MACHINES.logDays * EVENT_BYTES;
  const need = {
    processes: demand.processes,
    gatewayCores: demand.gatewayCores,
    databaseServers: servers,
    databaseCores,
    ingestCores: regions * written + log,
    memoryGb: ceil(memory, GB),
    clientConnections: demand.connections,
    // Those of its gateways, and one of each process that listens to the primary.
    databaseConnections: ceil(gateways, readers) * MACHINES.poolSize + ceil(demand.processes, regions),
    diskGb: ceil(disk, GB),
    megabits: ceil(demand.bytesPerSecond * 8n, 1_000_000n),
  };
  return { ...need, ...pay(need, demand.bytesPerSecond, prices) };
}

function pay(
  need: Pick<Need, 'gatewayCores' | 'databaseCores' | 'ingestCores' | 'memoryGb' | 'diskGb'>,
  bytesPerSecond: bigint,
  { cents }: Prices,
): Pick<Need, 'money' | 'moneyOut'> {
  const cores = need.gatewayCores + need.databaseCores + need.ingestCores;
  const out = (bytesPerSecond * MONTH_SECONDS * BigInt(cents.terabyteOut)) / (1_000n * GB);
  const rest =
    cores * BigInt(cents.coreMonth) +
    need.memoryGb * BigInt(cents.memoryGbMonth) +
    need.diskGb * BigInt(cents.diskGbMonth);
  return { money: ceil(out + rest, 100n), moneyOut: ceil(out, 100n) };
}

/** So many cores, as full as they may be, for so many nanoseconds of work a second; at least one. */
function coresOf(ns: bigint): bigint {
  return atLeast(ceil(ns * 100n, SECOND_NS * MACHINES.busyPercent), 1n);
}

function mean(one: Work, other: Work): { readonly process: bigint; readonly database: bigint } {
  return {
    process: ceil(BigInt(one.process + other.process), 2n),
    database: ceil(BigInt(one.database + other.database), 2n),
  };
}

function atLeast(value: bigint, least: bigint): bigint {
  return value < least ? least : value;
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
