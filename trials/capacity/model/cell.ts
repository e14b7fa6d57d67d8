import { createRandom, type Random } from '../../../src/simulation/random.ts';
import { drawArrivals, SECOND_NS } from './arrivals.ts';
import { Clock } from './clock.ts';
import { Station, type StationReport } from './station.ts';
import { Times } from './times.ts';

/** A kind of requests: whole nanoseconds of the process before and behind the database's, and of the database; 0 where it is not asked. */
export interface Asked {
  readonly name: string;
  /** Over all processes of the cell. */
  readonly perSecond: number;
  readonly processNs: number;
  readonly databaseNs: number;
  /** What an answer takes besides, unloaded: the wire, the kernel, and who asks. */
  readonly besidesNs: number;
  /** Who asks looks at the clock so often, and then sends all that is due since, evenly; without it, requests come as those of many clients do. */
  readonly tickNs?: number;
}

/** How blocks come: one after the other from the core through the log and the writer, then to the processes. */
export interface Blocks {
  /** Apart from each other. */
  readonly everyNs: number;
  /** Of the relay and the log, one block after the other; and what the way takes besides. 0 where there is no log. */
  readonly logNs: number;
  readonly logBesidesNs: number;
  /** Of the writer and its database, for all events of a block. */
  readonly writeNs: number;
  /** From the commit to the process, and from the process to the client. */
  readonly noticeNs: number;
  /** Of each process: what it makes once of a block, half of it before it asks the database for it; and each message. */
  readonly makeNs: number;
  readonly readNs: number;
  readonly messageNs: number;
  readonly messagesPerProcess: number;
}

/** Some processes that serve, with the database server that they read, and the way that blocks come to them. */
export interface Cell {
  readonly seed: string;
  readonly seconds: number;
  readonly processes: number;
  readonly databaseCores: number;
  readonly blocks: Blocks;
  readonly asked: readonly Asked[];
}

export interface CellReport {
  /** Of all of the processes' event loops together, of the database, the writer and the log: parts of a thousand. */
  readonly busyPermille: Readonly<Record<StationName, number>>;
  /** How many waited at once at most; of the processes, at the one where most did. */
  readonly mostWaiting: Readonly<Record<StationName, number>>;
  /** From a block's end at the core to its message at a client, and from its commit. */
  readonly followed: Times;
  readonly followedFromCommit: Times;
  /** The same of the first message of each block at each process. */
  readonly firstFromCommit: Times;
  readonly answered: ReadonlyMap<string, Times>;
}

export type StationName = 'processes' | 'database' | 'writer' | 'log';

/** What a process sends before others have their turn, as `streaming/scheduler.ts` has it. */
const TURN_NS = 8_000_000;
/** Of all messages of a block at a process so many are looked at, evenly. */
const SAMPLES = 64;

/** Runs a cell until the last answer and message is there. */
export function simulate(cell: Cell): CellReport {
  const clock = new Clock();
  const random = createRandom(cell.seed);
  const stations = {
    log: new Station(clock, 1),
    writer: new Station(clock, 1),
    database: new Station(clock, cell.databaseCores),
  };
  const processes = Array.from({ length: cell.processes }, () => new Station(clock, 1));
  const parts: Parts = { clock, ...stations, processes };
  const followed = { fromCore: new Times(), fromCommit: new Times(), first: new Times() };
  planBlocks(cell, parts, followed);
  const answered = new Map(cell.asked.map((asked) => [asked.name, planRequests(cell, asked, parts, random)]));
  clock.run();
  const wholeNs = Math.max(clock.now, cell.seconds * SECOND_NS);
  const busy = (report: readonly StationReport[], servers: number) =>
    Math.round((1000 * report.reduce((sum, { busyNs }) => sum + busyNs, 0)) / (servers * wholeNs));
  const loops = processes.map(({ report }) => report);
  return {
    busyPermille: {
      processes: busy(loops, cell.processes),
      database: busy([stations.database.report], cell.databaseCores),
      writer: busy([stations.writer.report], 1),
      log: busy([stations.log.report], 1),
    },
    mostWaiting: {
      processes: Math.max(...loops.map(({ mostWaiting }) => mostWaiting)),
      database: stations.database.report.mostWaiting,
      writer: stations.writer.report.mostWaiting,
      log: stations.log.report.mostWaiting,
    },
    followed: followed.fromCore,
    followedFromCommit: followed.fromCommit,
    firstFromCommit: followed.first,
    answered,
  };
}

interface Parts {
  readonly clock: Clock;
  readonly log: Station;
  readonly writer: Station;
  readonly database: Station;
  readonly processes: readonly Station[];
}

interface Followed {
  readonly fromCore: Times;
  readonly fromCommit: Times;
  readonly first: Times;
}

function planBlocks(
  { seconds, blocks }: Cell,
  { clock, log, writer, database, processes }: Parts,
  followed: Followed,
): void {
  for (let at = blocks.everyNs; at < seconds * SECOND_NS; at += blocks.everyNs) {
    clock.plan(at, () =>
      log.ask(blocks.logNs, () =>
        clock.plan(clock.now + blocks.logBesidesNs, () => writer.ask(blocks.writeNs, commit)),
      ),
    );
    const commit = () => {
      const committed = clock.now;
      const send = (process: Station) =>
        sendMessages(process, { clock, blocks, from: 0 }, (nth, sent) => {
          followed.fromCore.add(sent - at);
          followed.fromCommit.add(sent - committed);
          if (nth === 0) followed.first.add(sent - committed);
        });
      const before = blocks.makeNs >> 1;
      const tell = (process: Station) =>
        process.ask(before, () =>
          database.ask(blocks.readNs, () => process.ask(blocks.makeNs - before, () => send(process))),
        );
      clock.plan(committed + blocks.noticeNs, () => processes.forEach(tell));
    };
  }
}

interface Sending {
  readonly clock: Clock;
  readonly blocks: Blocks;
  /** How many messages have been sent. */
  readonly from: number;
}

/** Sends in turns, between which requests have theirs; a message leaves when its own part of the turn is over. */
function sendMessages(
  process: Station,
  { clock, blocks, from }: Sending,
  sent: (nth: number, at: number) => void,
): void {
  const { messageNs, messagesPerProcess: all } = blocks;
  if (from === all) return;
  const upTo = Math.min(all, from + Math.max(1, Math.floor(TURN_NS / Math.max(1, messageNs))));
  const stride = Math.ceil(all / SAMPLES);
  process.ask((upTo - from) * messageNs, () => {
    const first = Math.ceil(from / stride) * stride;
    for (let nth = first; nth < upTo; nth += stride) sent(nth, clock.now - (upTo - 1 - nth) * messageNs);
    sendMessages(process, { clock, blocks, from: upTo }, sent);
  });
}

function planRequests(cell: Cell, asked: Asked, parts: Parts, random: Random): Times {
  const { clock, database, processes } = parts;
  const times = new Times();
  const before = asked.databaseNs === 0 ? asked.processNs : asked.processNs >> 1;
  for (const [index, { due, sent }] of listRequests(cell, asked, random).entries()) {
    const process = processes[index % processes.length] as Station;
    const answer = () => times.add(clock.now - due + asked.besidesNs);
    const behind = () => process.ask(asked.processNs - before, answer);
    clock.plan(sent, () =>
      process.ask(before, asked.databaseNs === 0 ? answer : () => database.ask(asked.databaseNs, behind)),
    );
  }
  return times;
}

/** When each request is due, from which its time counts, and when it is sent. */
function listRequests({ seconds }: Cell, { perSecond, tickNs }: Asked, random: Random) {
  const count = perSecond * seconds;
  if (tickNs === undefined) return drawArrivals(random, count, seconds).map((at) => ({ due: at, sent: at }));
  return Array.from({ length: count }, (_, index) => {
    const due = Math.floor((index * SECOND_NS) / perSecond);
    return { due, sent: Math.ceil(due / tickNs) * tickNs };
  });
}
