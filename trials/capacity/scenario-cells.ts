import type { Costs, Work } from './costs.ts';
import type { Blocks, Cell } from './model/cell.ts';
import { DAY_SECONDS, FOLLOWERS, MACHINES, MAINNET, REQUESTS, type Scale } from './scenarios.ts';
import { marketsOf, type Need } from './size.ts';

/** What the model runs for the document: one gateway of a region, and its share of a database server. */

const SEED = 'capacity';
const NO_BLOCKS = {
  logNs: 0,
  logBesidesNs: 0,
  writeNs: 0,
  noticeNs: 0,
  makeNs: 0,
  readNs: 0,
  messageNs: 0,
} as const;
const SECONDS = { followers: 10, requests: 2 } as const;

/** The way of blocks to a gateway whose processes have so many followers each. */
export function cellOfFollowers({ count }: Scale, volume: bigint, costs: Costs, need: Need): Cell {
  const { ns } = costs;
  const processes = Number(least(MACHINES.processesPerGateway, need.processes));
  const each = Number((count * FOLLOWERS.ofMarketsPercent) / 100n / need.processes);
  const blocks: Blocks = {
    everyNs: blockNs(volume),
    logNs: ns.relayedBlock + ns.loggedBlock,
    logBesidesNs: Number(MACHINES.logWayMs) * 1_000_000,
    writeNs: Number(MAINNET.eventsPerBlock) * (ns.event.process + ns.event.database),
    noticeNs: costs.noticeNs,
    makeNs: Number(marketsOf(need.processes)) * ns.change,
    readNs: ns.row.database,
    messageNs: ns.message,
    messagesPerProcess: each,
  };
  return {
    seed: SEED,
    seconds: SECONDS.followers,
    processes,
    databaseCores: coresOf(need),
    blocks,
    asked: [],
  };
}

/** One gateway that is asked the mix of the assumptions, as much as keeps its processes busy by so many of a thousand. */
export function cellOfRequests(busyPermille: number, costs: Costs): Cell {
  const { ns } = costs;
  const processes = Number(MACHINES.processesPerGateway);
  const kinds = [
    { name: 'kept', parts: Number(REQUESTS.keptPercent), work: mean(ns.kept, ns.notModified) },
    { name: 'a row', parts: Number(REQUESTS.coldPercent) / 2, work: ns.row },
    { name: 'a page', parts: Number(REQUESTS.coldPercent) / 2, work: ns.page },
  ];
  const all = kinds.reduce((sum, { parts }) => sum + parts, 0);
  const meanNs = kinds.reduce((sum, { parts, work }) => sum + parts * work.process, 0) / all;
  const perSecond = Math.floor((processes * busyPermille * 1_000_000) / meanNs);
  return {
    ...{ seed: SEED, seconds: SECONDS.requests, processes, databaseCores: processes },
    blocks: { ...NO_BLOCKS, everyNs: SECONDS.requests * 1_000_000_000, messagesPerProcess: 0 },
    asked: kinds.map(({ name, parts, work }) => ({
      ...{ name, perSecond: Math.floor((perSecond * parts) / all), besidesNs: 0 },
      ...{ processNs: work.process, databaseNs: name === 'kept' ? 0 : work.database },
    })),
  };
}

function blockNs(volume: bigint): number {
  return Number((MAINNET.days * DAY_SECONDS * 1_000_000_000n) / (MAINNET.blocks * volume));
}

/** A gateway's share of the server that it reads. */
function coresOf({ databaseServers, processes }: Need): number {
  const gateways = (processes + MACHINES.processesPerGateway - 1n) / MACHINES.processesPerGateway;
  const each = (databaseServers * MACHINES.coresPerServer) / gateways;
  return Number(least(MACHINES.coresPerServer, each > 0n ? each : 1n));
}

function mean(one: Work, other: Work): Work {
  return {
    process: Math.round((one.process + other.process) / 2),
    database: Math.round((one.database + other.database) / 2),
  };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
