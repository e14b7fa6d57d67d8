import { availableParallelism } from 'node:os';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { get, send } from '../load/request.ts';
import { type Contender, measure, type Questions } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { count } from '../report/describe.ts';
import { type BenchServer, startPeer, startPeriscope } from '../servers/start-server.ts';
import { PLAIN, startKnownBytes } from './repeat.ts';

/**
 * What two workers give beside one, and beside what two processes of next to nothing give beside one of these: so much the
 * cores of a machine give that load and PostgreSQL need, too, and that share more than the clock shows.
 */
export const workers: BenchCase = {
  name: 'workers',
  title: 'two workers beside one',
  async run(bench) {
    return [...(await compareKept(bench)), ...(await compareRows(bench))];
  },
};

async function compareKept(bench: Bench): Promise<readonly Result[]> {
  const question = get('/api/v2/deposits?pagination.first=20');
  const request = () => question;
  await using single = await startWorkers(bench, 1, 64);
  await using double = await startWorkers(bench, 2, 64);
  const { text, headers } = await send(single.url, { ...question, headers: PLAIN });
  await using bareSingle = await startKnownBytes(text, { headers });
  await using bareDouble = await startKnownBytes(text, { headers, workers: 2 });
  const contenders = contend([single, double, bareSingle, bareDouble], request);
  const [own, bare] = await measurePairs(bench, contenders, 'one');
  return describePairs({ id: 'kept', what: 'kept' }, own, { name: 'node:http', ...bare });
}

async function compareRows(bench: Bench): Promise<readonly Result[]> {
  const sizes = bench.size.rows;
  const ask = phraseRest(sizes);
  const request = (number: number) => ask({ deposit: number });
  await using single = await startWorkers(bench, 1, 0);
  await using double = await startWorkers(bench, 2, 0);
  const { readerUrl } = await bench.database();
  await using bareSingle = await startPeer('limit', { DATABASE_URL: readerUrl });
  await using bareDouble = await startPeer('limit', { DATABASE_URL: readerUrl, WORKERS: '2' });
  const contenders = contend([single, double, bareSingle, bareDouble], request);
  const [own, bare] = await measurePairs(bench, contenders, { different: sizes.deposits });
  return describePairs({ id: 'one-row', what: 'one row, nothing kept' }, own, { name: 'the limit', ...bare });
}

function contend(servers: readonly BenchServer[], request: Contender['request']): readonly Contender[] {
  return servers.map((server, place) => ({ name: `${place}`, server, request }));
}

async function startWorkers(bench: Bench, count: number, keptMegabytes: number): Promise<BenchServer> {
  const { readerUrl } = await bench.database();
  return startPeriscope({
    DATABASE_URL: readerUrl,
    KEPT_ANSWERS_MB: `${keptMegabytes}`,
    // What is compared is what an answer takes: none is refused because this machine has others' work to do.
    ADMISSION_WAIT_MS: '60000',
    POOL_WAIT_MS: '60000',
    WORKERS: `${count}`,
  });
}

/** The figures of one process and of two. */
interface Pair {
  readonly one: Figures;
  readonly two: Figures;
}

/** Two processes have twice as much to compile before they are as fast as they get. Gives ours, and those beside them. */
async function measurePairs(
  bench: Bench,
  contenders: readonly Contender[],
  questions: Questions,
): Promise<readonly [Pair, Pair]> {
  await measure(bench, contenders, questions);
  const figures = await measure(bench, contenders, questions);
  const of = (place: number) => figures.get(`${place}`) as Figures;
  return [
    { one: of(0), two: of(1) },
    { one: of(2), two: of(3) },
  ];
}

function describePairs(
  { id, what }: { readonly id: string; readonly what: string },
  own: Pair,
  bare: Pair & { readonly name: string },
): readonly Result[] {
  const common = {
    what: `${workers.title}: ${what}`,
    figure: describePair(own),
    beside: `${bare.name}: ${describePair(bare)}`,
    spread: Math.max(...[own, bare].flatMap(({ one, two }) => [one.spread, two.spread])),
  };
  return [
    {
      id: `${workers.name}/${id}/cpu`,
      ...common,
      value: riseOf(own) / riseOf(bare),
      unit: `x how the CPU of ${bare.name} grows`,
      target: { most: 1.1 },
      cpuUs: own.two.cpuUs,
      peerCpuUs: own.one.cpuUs,
      note: '',
    },
    {
      id: `${workers.name}/${id}`,
      ...common,
      value: keptOf(own) / keptOf(bare),
      unit: `x how near ${bare.name} comes to twice one`,
      target: { least: 0.9 },
      cpuUs: null,
      peerCpuUs: null,
      note: `on ${availableParallelism()} cores that asking takes ${own.one.loadUs.toPrecision(2)} us a request of, too`,
    },
  ];
}

function describePair(pair: Pair): string {
  const kept = keptOf(pair).toPrecision(2);
  const rise = riseOf(pair).toPrecision(2);
  return `${count(pair.two.perSecond)}/s, one ${count(pair.one.perSecond)}/s: ${kept} of what twice one or the cores would give, ${rise} x the CPU`;
}

/** How much more CPU a request takes of two. */
function riseOf({ one, two }: Pair): number {
  return two.cpuUs / one.cpuUs;
}

/** How near two come to twice one, or to what the cores would give, with what PostgreSQL and the asking take of them. */
function keptOf({ one: { perSecond, cpuUs, loadUs }, two }: Pair): number {
  return two.perSecond / Math.min(2 * perSecond, (availableParallelism() * 1e6) / (cpuUs + loadUs));
}
