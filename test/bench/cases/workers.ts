import { availableParallelism } from 'node:os';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { get, send } from '../load/request.ts';
import { type Contender, measure, type Questions } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { describeFigures } from '../report/describe.ts';
import { type BenchServer, startPeriscope } from '../servers/start-server.ts';
import { startKnownBytes } from './repeat.ts';

export const workers: BenchCase = {
  name: 'workers',
  title: 'two workers beside one',
  async run(bench) {
    return [...(await compareKept(bench)), ...(await compareRows(bench))];
  },
};

/** Beside two processes of node:http and one, which show what this machine gives to anybody. */
async function compareKept(bench: Bench): Promise<readonly Result[]> {
  const question = get('/api/v2/deposits?pagination.first=20');
  const request = () => question;
  await using single = await startWorkers(bench, 1, 64);
  await using double = await startWorkers(bench, 2, 64);
  const { text } = await send(single.url, question);
  await using bareSingle = await startKnownBytes(text);
  await using bareDouble = await startKnownBytes(text, 2);
  const contenders = [
    { name: 'one', server: single, request },
    { name: 'two', server: double, request },
    { name: 'bare one', server: bareSingle, request },
    { name: 'bare two', server: bareDouble, request },
  ];
  const of = await measureCompiled(bench, contenders, 'one');
  const bare = describeTwo(
    'node-http',
    "two processes of node:http's beside one",
    of('bare one'),
    of('bare two'),
  );
  return [
    ...describeTwo('kept', `${workers.title}: kept`, of('one'), of('two')),
    ...bare.map((result) => ({ ...result, target: null })),
  ];
}

async function compareRows(bench: Bench): Promise<readonly Result[]> {
  const sizes = bench.size.rows;
  const ask = phraseRest(sizes);
  const request = (number: number) => ask({ deposit: number });
  await using single = await startWorkers(bench, 1, 0);
  await using double = await startWorkers(bench, 2, 0);
  const contenders = [
    { name: 'one', server: single, request },
    { name: 'two', server: double, request },
  ];
  const of = await measureCompiled(bench, contenders, { different: sizes.deposits });
  return describeTwo('one-row', `${workers.title}: one row, nothing kept`, of('one'), of('two'));
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

/** Two processes have twice as much to compile before they are as fast as they get. Gives the figures by name. */
async function measureCompiled(
  bench: Bench,
  contenders: readonly Contender[],
  questions: Questions,
): Promise<(name: string) => Figures> {
  await measure(bench, contenders, questions);
  const figures = await measure(bench, contenders, questions);
  return (name) => figures.get(name) as Figures;
}

function describeTwo(name: string, what: string, one: Figures, two: Figures): readonly Result[] {
  const common = {
    what,
    figure: describeFigures(two),
    beside: `one: ${describeFigures(one)}`,
    spread: Math.max(one.spread, two.spread),
  };
  const id = `${workers.name}/${name}`;
  return [
    {
      id: `${id}/cpu`,
      ...common,
      value: two.cpuUs / one.cpuUs,
      unit: "x one's CPU",
      target: { most: 1.1 },
      cpuUs: two.cpuUs,
      peerCpuUs: one.cpuUs,
      note: '',
    },
    {
      id,
      ...common,
      value: two.perSecond / roomFor(one),
      unit: 'x what twice the workers or the cores allow',
      target: { least: 0.9 },
      cpuUs: null,
      peerCpuUs: null,
      note: `${(two.perSecond / one.perSecond).toPrecision(2)} x one, on ${availableParallelism()} cores that asking takes ${one.loadUs.toPrecision(2)} us a request of, too`,
    },
  ];
}

/** Twice as much, unless the cores are less than that takes, with PostgreSQL and the asking. */
function roomFor({ perSecond, cpuUs, loadUs }: Figures): number {
  return Math.min(2 * perSecond, (availableParallelism() * 1e6) / (cpuUs + loadUs));
}
