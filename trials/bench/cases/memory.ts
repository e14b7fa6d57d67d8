import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { idOf, shuffled } from '../database/rows.ts';
import { phraseGraphql, phraseRest } from '../load/deposit-questions.ts';
import type { BenchRequest } from '../load/request.ts';
import { readMemory } from '../measure/cpu.ts';
import { count } from '../report/describe.ts';
import { type BenchServer, startPeriscope } from '../servers/start-server.ts';
import { MANY_STREAMS } from '../streams/settings.ts';
import { socketUrl, startSubscribers } from '../streams/start-subscribers.ts';

const MB = 1_000_000;
const SETTLE_MS = { full: 5_000, quick: 1_000 } as const;
/** How many of the mix: no round asks for more. */
const MIX = 60_000;
const FEW = 10;

export const memory: BenchCase = {
  name: 'memory',
  title: 'memory of the process',
  async run(bench) {
    const { readerUrl } = await bench.database();
    const settle = () => sleep(SETTLE_MS[bench.size.name]);
    const results: Result[] = [];
    {
      await using server = await startPeriscope({ DATABASE_URL: readerUrl });
      await settle();
      results.push(resultOf('idle', 'idle', readMemory(server.pid) / MB, 'MB', 150));
      await askMix(bench, server);
      results.push(
        resultOf('mix', 'after a hot mix of REST and GraphQL', readMemory(server.pid) / MB, 'MB', 300),
      );
    }
    await using server = await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: readerUrl });
    await using _few = await openIdle(server, FEW);
    await settle();
    const before = readMemory(server.pid);
    const streams = bench.size.idleStreams;
    await using _many = await openIdle(server, streams);
    await settle();
    const each = (readMemory(server.pid) - before) / streams / 1000;
    return [
      ...results,
      resultOf('stream', `${count(streams)} idle streams, each on a WebSocket`, each, 'kB each', 20),
    ];
  },
};

/** As fast as it goes: rows, pages of 20 by both, and a page of 1,000 now and then. */
async function askMix({ loader, size }: Bench, { url }: BenchServer): Promise<void> {
  const [rest, graphql] = [phraseRest(size.rows), phraseGraphql(size.rows)];
  const { deposits, parties } = size.rows;
  const numbers = shuffled(deposits);
  const requests: BenchRequest[] = [];
  for (const number of numbers) {
    if (requests.length >= Math.min(MIX, deposits)) break;
    const kind = requests.length % 50;
    if (kind === 0) requests.push(rest({ first: 1_000, after: number }));
    else if (kind % 3 === 0) requests.push(rest({ deposit: number }));
    else if (kind % 3 === 1) requests.push(graphql({ first: 20, after: number }));
    else requests.push(rest({ first: 20, party: number % parties }));
  }
  const durationMs = size.rounds * size.roundMs;
  await loader.run({ url, requests, repeat: true, connections: size.connections, durationMs });
}

function openIdle({ url }: BenchServer, streams: number) {
  return startSubscribers({
    urls: Array.from({ length: streams }, (_, index) =>
      socketUrl(url, `/api/v2/stream/accounts?partyId=${idOf('party', index)}`),
    ),
    graphql: null,
    beginning: 1,
  });
}

function resultOf(name: string, what: string, value: number, unit: string, most: number): Result {
  return {
    id: `memory/${name}`,
    what: `memory: ${what}`,
    figure: `${value.toFixed(unit === 'MB' ? 0 : 1)} ${unit}`,
    beside: '',
    value,
    unit,
    target: { most },
    cpuUs: null,
    peerCpuUs: null,
    spread: 0,
    note: 'resident',
  };
}
