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
import { startBlockWriter } from '../writer/block-writer.ts';
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

/** The CPU that a change costs, in microseconds: of Periscope and of PostgreSQL for it, not of the ingest. */
async function measurePeriscope(bench: Bench, audience: Audience, subscribers: number): Promise<number> {
  const database = await bench.database();
  await using server = await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: database.readerUrl });
  await using streams = await startSubscribers({
    ...subscriptionsOf(server, audience, subscribers, ACCOUNTS_OF_PARTY),
    beginning: 1,
  });
  await using writer = await startBlockWriter(database.url);
  const cpu = () => [readCpu([server.pid]), readBackendCpu(bench.postgres.pid, READER)] as const;
  const writeBlocks = async (from: number, blocks: number) => {
    for (let block = from; block < from + blocks; block += 1) {
      const parties = audience.changed(block, subscribers);
      const height = writer.write(
        parties.flatMap((party) => balanceEvents(writer.height + block + 1, party, [0])),
      );
      await writer.committed(height);
    }
    await streams.receive(blocks * audience.messages(subscribers));
  };
  await writeBlocks(0, WARM_UP);
  const [serverBefore, databaseBefore] = cpu();
  await writeBlocks(WARM_UP, bench.size.streamBlocks);
  const [serverAfter, databaseAfter] = cpu();
  await writer.finish();
  const seconds = cpuBetween(serverBefore, serverAfter) + cpuBetween(databaseBefore, databaseAfter);
  return (seconds * 1e6) / changesOf(bench, audience, subscribers);
}

async function measurePubSub(bench: Bench, audience: Audience, subscribers: number): Promise<number> {
  await using server = await startPeer('yoga-pubsub', {});
  await using streams = await startSubscribers({
    ...subscriptionsOf(server, audience, subscribers, PUBSUB_ACCOUNTS_OF_PARTY),
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

function subscriptionsOf(server: BenchServer, { partyOf }: Audience, subscribers: number, query: string) {
  const all = Array.from({ length: subscribers }, (_, subscriber) => subscriber);
  return {
    urls: all.map(() => socketUrl(server.url, '/graphql')),
    graphql: { query, variables: all.map((subscriber) => ({ party: idOf('party', partyOf(subscriber)) })) },
  };
}

async function untilSubscribed(server: BenchServer, subscribers: number): Promise<void> {
  for (;;) {
    const { text } = await send(server.url, graphql('{ subscribers }', {}));
    if (JSON.parse(text).data.subscribers === subscribers) return;
    await sleep(20);
  }
}
