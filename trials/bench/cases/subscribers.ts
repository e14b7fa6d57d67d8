import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { READER } from '../database/bench-database.ts';
import { idOf } from '../database/rows.ts';
import { graphql, send } from '../load/request.ts';
import { cpuBetween, readBackendCpu, readCpu } from '../measure/cpu.ts';
import { count, describeUs } from '../report/describe.ts';
import { type BenchServer, startPeer, startPeriscope } from '../servers/start-server.ts';
import { ACCOUNTS_OF_PARTY, MANY_STREAMS, PUBSUB_ACCOUNTS_OF_PARTY } from '../streams/settings.ts';
import { socketUrl, startSubscribers } from '../streams/start-subscribers.ts';
import { type Event, startBlockWriter } from '../writer/block-writer.ts';
import { balanceEvents } from '../writer/events.ts';

/** Who follows what, and what changes in each block. */
interface Audience {
  readonly name: string;
  readonly title: string;
  readonly subscribers: (bench: Bench) => number;
  /** The party that a subscriber follows. */
  readonly partyOf: (subscriber: number) => number;
  /** The parties of which an account changes in a block of a number, and how many messages that is. */
  readonly changed: (block: number, subscribers: number) => readonly number[];
  readonly messages: (subscribers: number) => number;
}

/** The first blocks are for warming up. */
const WARM_UP = 20;
/** So many come before anybody follows them: what is filled has no past, in which the first bucket of a series would begin. */
const BEFORE = 20;
const CHANGES_PER_BLOCK = 10;

export const oneParty = subscribersCase({
  name: 'subscribers-one-party',
  title: "subscribers of one party's accounts, a change",
  subscribers: ({ size }) => size.oneParty,
  partyOf: () => 0,
  changed: () => [0],
  messages: (subscribers) => subscribers,
});

export const manyParties = subscribersCase({
  name: 'subscribers-many-parties',
  title: 'subscribers of different parties, a change',
  subscribers: ({ size }) => size.manyParties,
  partyOf: (subscriber) => subscriber,
  changed: (block, subscribers) =>
    Array.from(
      { length: CHANGES_PER_BLOCK },
      (_, index) => (block * CHANGES_PER_BLOCK + index) % subscribers,
    ),
  messages: () => CHANGES_PER_BLOCK,
});

function subscribersCase(audience: Audience): BenchCase {
  return { name: audience.name, title: audience.title, run: (bench) => run(bench, audience) };
}

async function run(bench: Bench, audience: Audience): Promise<readonly Result[]> {
  const subscribers = audience.subscribers(bench);
  const own = await measurePeriscope(bench, audience, subscribers);
  const peer = await measurePubSub(bench, audience, subscribers);
  return [
    {
      id: audience.name,
      what: `${count(subscribers)} ${audience.title}`,
      figure: `${describeUs(own)} CPU a change`,
      beside: `graphql-yoga's pub/sub with a filter: ${describeUs(peer)} CPU a change`,
      value: peer / own,
      unit: 'x less CPU than pub/sub',
      target: { least: 10 },
      cpuUs: own,
      peerCpuUs: peer,
      spread: 0,
      note: 'one execution a change: held by a test',
    },
  ];
}

/** The CPU that a change costs, in microseconds: of Periscope and of PostgreSQL for it. */
async function measurePeriscope(bench: Bench, audience: Audience, subscribers: number): Promise<number> {
  const { changed, messages, partyOf } = audience;
  const seconds = await measureFollowed(bench, {
    query: ACCOUNTS_OF_PARTY,
    variables: variablesOf(partyOf, subscribers),
    events: (block, height) =>
      changed(block, subscribers).flatMap((party) => balanceEvents(height + block + 1, party, [0])),
    messages: messages(subscribers),
  });
  return (seconds * 1e6) / changesOf(bench, audience, subscribers);
}

/** What subscribers follow, by the variables of each, and what is written meanwhile. */
interface Followed {
  readonly query: string;
  readonly variables: readonly object[];
  /** The events of a block of a number, given the height of the newest. */
  readonly events: (block: number, height: number) => readonly Event[];
  /** How many messages a block is. */
  readonly messages: number;
  /** A block comes when all have been told of the one before: who reads what is true as of a block tells of several at once, else. */
  readonly isOneByOne?: boolean;
}

/** The seconds of CPU that following the blocks of a size takes: of Periscope and of PostgreSQL for it, not of the ingest. */
export async function measureFollowed(bench: Bench, followed: Followed): Promise<number> {
  const { query, variables, events, messages, isOneByOne = false } = followed;
  const database = await bench.database();
  await using server = await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: database.readerUrl });
  await using writer = await startBlockWriter(database.url);
  for (let block = 0; block < BEFORE; block += 1)
    await writer.committed(writer.write(events(block, writer.height)));
  await using streams = await startSubscribers({
    ...subscriptionsOf(server, query, variables),
    beginning: 1,
  });
  const cpu = () => [readCpu([server.pid]), readBackendCpu(bench.postgres.pid, READER)] as const;
  const writeBlocks = async (from: number, blocks: number) => {
    const step = isOneByOne ? 1 : blocks;
    for (let block = from; block < from + blocks; block += 1) {
      await writer.committed(writer.write(events(block, writer.height)));
      if ((block - from + 1) % step === 0) await streams.receive(step * messages);
    }
  };
  await writeBlocks(0, WARM_UP);
  const [serverBefore, databaseBefore] = cpu();
  await writeBlocks(WARM_UP, bench.size.streamBlocks);
  const [serverAfter, databaseAfter] = cpu();
  await writer.finish();
  return cpuBetween(serverBefore, serverAfter) + cpuBetween(databaseBefore, databaseAfter);
}

async function measurePubSub(bench: Bench, audience: Audience, subscribers: number): Promise<number> {
  await using server = await startPeer('yoga-pubsub', {});
  await using streams = await startSubscribers({
    ...subscriptionsOf(server, PUBSUB_ACCOUNTS_OF_PARTY, variablesOf(audience.partyOf, subscribers)),
    beginning: 0,
  });
  await untilSubscribed(server, subscribers);
  const publish = async (from: number, blocks: number) => {
    for (let block = from; block < from + blocks; block += 1) {
      const changed = audience.changed(block, subscribers);
      const body = changed.flatMap((party) => balanceEvents(block, party, [0]).map(({ data }) => data));
      await send(server.url, { path: '/publish', body });
    }
    await streams.receive(blocks * audience.messages(subscribers));
  };
  await publish(0, WARM_UP);
  const before = readCpu([server.pid]);
  await publish(WARM_UP, bench.size.streamBlocks);
  const seconds = cpuBetween(before, readCpu([server.pid]));
  return (seconds * 1e6) / changesOf(bench, audience, subscribers);
}

function changesOf({ size }: Bench, { changed }: Audience, subscribers: number): number {
  return size.streamBlocks * changed(0, subscribers).length;
}

function variablesOf(partyOf: Audience['partyOf'], subscribers: number): readonly object[] {
  return Array.from({ length: subscribers }, (_, subscriber) => ({
    party: idOf('party', partyOf(subscriber)),
  }));
}

function subscriptionsOf({ url }: BenchServer, query: string, variables: readonly object[]) {
  return { urls: variables.map(() => socketUrl(url, '/graphql')), graphql: { query, variables } };
}

async function untilSubscribed(server: BenchServer, subscribers: number): Promise<void> {
  for (;;) {
    const { text } = await send(server.url, graphql('{ subscribers }', {}));
    if (JSON.parse(text).data.subscribers === subscribers) return;
    await sleep(20);
  }
}
