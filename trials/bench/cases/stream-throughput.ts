import type { Bench, BenchCase } from '../bench.ts';
import { idOf } from '../database/rows.ts';
import { send } from '../load/request.ts';
import { cpuBetween, readCpu } from '../measure/cpu.ts';
import { count, describeUs } from '../report/describe.ts';
import { type BenchServer, startPeer, startPeriscope } from '../servers/start-server.ts';
import { MANY_STREAMS } from '../streams/settings.ts';
import { type Received, socketUrl, startSubscribers } from '../streams/start-subscribers.ts';
import { type BlockWriter, startBlockWriter } from '../writer/block-writer.ts';
import { balanceEvents } from '../writer/events.ts';

const PARTY = 1;
/** So many accounts in a block make a frame of about 1 kB. */
const ASSETS = [0, 1, 2, 3];
const FRAME_BYTES = 1_000;
const WARM_UP = 20;

/** What sending cost, and how fast it went. */
interface Sent {
  readonly perSecond: number;
  readonly cpuUs: number;
}

export const streamThroughput: BenchCase = {
  name: 'stream-throughput',
  title: 'frames of 1 kB to many subscribers, WebSocket',
  async run(bench) {
    const subscribers = bench.size.oneParty;
    const own = await measurePeriscope(bench, subscribers);
    const peer = await measureLoop(bench, subscribers);
    const describe = ({ perSecond, cpuUs }: Sent) =>
      `${count(perSecond)} messages/s, ${describeUs(cpuUs)} CPU each`;
    return [
      {
        id: this.name,
        what: `${count(subscribers)} subscribers, ${this.title}`,
        figure: describe(own),
        beside: `a ws loop with a ready-made buffer: ${describe(peer)}`,
        // The ingest and PostgreSQL run besides, so that messages a second say more of the machine than of the sending.
        value: peer.cpuUs / own.cpuUs,
        unit: 'x a ws loop, by CPU',
        target: { least: 0.7 },
        cpuUs: own.cpuUs,
        peerCpuUs: peer.cpuUs,
        spread: 0,
        note: `by messages a second ${(own.perSecond / peer.perSecond).toPrecision(2)} x`,
      },
    ];
  },
};

async function measurePeriscope(bench: Bench, subscribers: number): Promise<Sent> {
  const database = await bench.database();
  await using server = await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: database.readerUrl });
  const path = `/api/v2/stream/accounts?partyId=${idOf('party', PARTY)}`;
  await using streams = await startSubscribers({
    urls: new Array<string>(subscribers).fill(socketUrl(server.url, path)),
    graphql: null,
    beginning: 1,
  });
  await using writer = await startBlockWriter(database.url);
  const writeBlocks = (blocks: number, writer: BlockWriter) => {
    for (let block = 0; block < blocks; block += 1) writer.write(balanceEvents(block, PARTY, ASSETS));
    return streams.receive(blocks * subscribers);
  };
  await writeBlocks(WARM_UP, writer);
  const sent = await measureSending(server, () => writeBlocks(bench.size.frames, writer));
  await writer.finish();
  return sent;
}

async function measureLoop(bench: Bench, subscribers: number): Promise<Sent> {
  await using server = await startPeer('ws-loop', {});
  await using streams = await startSubscribers({
    urls: new Array<string>(subscribers).fill(socketUrl(server.url, '/')),
    graphql: null,
    beginning: 0,
  });
  const sendFrames = async (frames: number) => {
    await send(server.url, { path: '/send', body: { frames, bytes: FRAME_BYTES } });
    return streams.receive(frames * subscribers);
  };
  await sendFrames(WARM_UP);
  return await measureSending(server, () => sendFrames(bench.size.frames));
}

async function measureSending(server: BenchServer, sendAll: () => Promise<Received>): Promise<Sent> {
  const before = readCpu([server.pid]);
  const { messages, first, last } = await sendAll();
  const cpu = cpuBetween(before, readCpu([server.pid]));
  return { perSecond: messages / (Number(last - first) / 1e9), cpuUs: (cpu * 1e6) / messages };
}
