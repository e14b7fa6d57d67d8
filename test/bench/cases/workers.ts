import { availableParallelism } from 'node:os';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { get } from '../load/request.ts';
import { type Contender, measure, type Questions } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { describeFigures } from '../report/describe.ts';
import { startPeriscope } from '../servers/start-server.ts';

export const workers: BenchCase = {
  name: 'workers',
  title: 'two workers beside one',
  async run(bench) {
    const sizes = bench.size.rows;
    const ask = phraseRest(sizes);
    const kept = () => get('/api/v2/deposits?pagination.first=20');
    const cold = (number: number) => ask({ deposit: number });
    return [
      ...(await compare(bench, { what: 'kept', keptMegabytes: 64 }, kept, 'one')),
      ...(await compare(bench, { what: 'one row, nothing kept', keptMegabytes: 0 }, cold, {
        different: sizes.deposits,
      })),
    ];
  },
};

async function compare(
  bench: Bench,
  { what, keptMegabytes }: { readonly what: string; readonly keptMegabytes: number },
  request: Contender['request'],
  questions: Questions,
): Promise<readonly Result[]> {
  const { readerUrl } = await bench.database();
  const settings = {
    DATABASE_URL: readerUrl,
    KEPT_ANSWERS_MB: `${keptMegabytes}`,
    // What is compared is what an answer takes: none is refused because this machine has others' work to do.
    ADMISSION_WAIT_MS: '60000',
    POOL_WAIT_MS: '60000',
  };
  await using single = await startPeriscope({ ...settings, WORKERS: '1' });
  await using double = await startPeriscope({ ...settings, WORKERS: '2' });
  const contenders = [
    { name: 'one', server: single, request },
    { name: 'two', server: double, request },
  ];
  // Two processes have twice as much to compile before they are as fast as they get.
  await measure(bench, contenders, questions);
  const figures = await measure(bench, contenders, questions);
  const [one, two] = [figures.get('one') as Figures, figures.get('two') as Figures];
  const common = {
    what: `${workers.title}: ${what}`,
    figure: describeFigures(two),
    beside: `one: ${describeFigures(one)}`,
    spread: Math.max(one.spread, two.spread),
  };
  const id = `${workers.name}/${what.split(',')[0]?.replace(' ', '-')}`;
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
