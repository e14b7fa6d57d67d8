import type { Bench, BenchCase, Result } from '../bench.ts';
import { type OpenLoop, startOpenLoop, type TrafficFigures } from '../load/start-open-loop.ts';
import { median } from '../measure/figures.ts';
import {
  askForCounts,
  askForGraphiql,
  askForThousands,
  askGreedily,
  askLargeAtOnce,
  type Crowded,
  leaveAgainAndAgain,
} from '../overload/crowds.ts';
import { openBefore, openNow, type Subject } from '../overload/subject.ts';
import { meanOf, medianOf, type Overloaded, overloadWithPages } from '../overload/twice.ts';
import { count, ms } from '../report/describe.ts';
import type { BenchServer } from '../servers/start-server.ts';

/** One measure: what it gives of a Periscope that was just started, and the lines of the table that are made of it. */
interface Measure<Figures> {
  readonly run: (bench: Bench, load: OpenLoop, server: BenchServer, subject: Subject) => Promise<Figures>;
  readonly lines: (figures: Figures) => readonly Line[];
}

interface Line extends Pick<Result, 'what' | 'figure' | 'value' | 'unit' | 'target'> {
  readonly id: string;
  readonly note?: string;
}

export const overload: BenchCase = {
  name: 'overload',
  title: 'more than there is room for',
  async run(bench) {
    await using load = startOpenLoop();
    await using now = await openNow(bench);
    await using before = bench.before === null ? null : await openBefore(bench, bench.before);
    const results: Result[] = [];
    for (const measure of MEASURES) {
      const own = await linesOf(measure, bench, load, now);
      const older = before === null ? [] : await linesOf(measure, bench, load, before);
      results.push(
        ...own.map(({ id, note = '', ...line }, index) => ({
          id: `overload/${id}`,
          ...line,
          beside: older[index] === undefined ? '' : `before: ${older[index].figure}`,
          cpuUs: null,
          peerCpuUs: null,
          spread: 0,
          note,
        })),
      );
    }
    return results;
  },
};

async function linesOf(measure: Measure<unknown>, bench: Bench, load: OpenLoop, subject: Subject) {
  await using server = await subject.start();
  const lines = measure.lines(await measure.run(bench, load, server, subject));
  for (const { what, figure, note = '' } of lines) bench.say(`  ${subject.name}: ${what}: ${figure} ${note}`);
  return lines;
}

function measureOf<Figures>(
  run: Measure<Figures>['run'],
  lines: Measure<Figures>['lines'],
): Measure<unknown> {
  return { run, lines: (figures) => lines(figures as Figures) };
}

const MEASURES: readonly Measure<unknown>[] = [
  measureOf(overloadWithPages, linesOfTwice),
  measureOf(askLargeAtOnce, linesOfLarge),
  measureOf(
    (bench, load, server) => askGreedily(bench, load, server, 20),
    (figures) => linesOfCrowd('greedy-20', '20 greedy clients', figures),
  ),
  measureOf(
    (bench, load, server) => askGreedily(bench, load, server, 3),
    (figures) => linesOfCrowd('greedy-3', 'three greedy clients', figures),
  ),
  measureOf(
    (bench, load, server) => askForThousands(bench, load, server, 16),
    (figures) => [
      ...linesOfCrowd('thousands', '16 clients of pages of 1,000', figures),
      {
        id: 'thousands/refused',
        what: 'pages of 1,000 that were refused to them',
        figure: `${figures.others.refused.count} of ${countAll(figures.others)}`,
        value: figures.others.refused.count,
        unit: 'refused',
        target: { most: 0 },
      },
    ],
  ),
  measureOf(askForCounts, (figures) => linesOfCrowd('counts', '20 x totalCount again and again', figures)),
  measureOf(
    (bench, _load, server, { databaseUrl }) => leaveAgainAndAgain(bench, server, databaseUrl),
    (left) => [
      {
        id: 'leave',
        what: '15 clients of the largest page that leave after 50 ms: PostgreSQL goes on',
        figure: `${ms(median(left))}, max ${ms(Math.max(...left))}`,
        value: median(left),
        unit: 'ms (p50)',
        target: { most: 100 },
      },
    ],
  ),
  measureOf(
    (_bench, load, server) => askForGraphiql(load, server),
    ({ before, most }) => [
      {
        id: 'graphiql',
        what: "30 x GraphiQL's page: memory",
        figure: `${count(before)} -> ${count(most)} MB`,
        value: most - before,
        unit: 'MB more',
        target: { most: 100 },
      },
    ],
  ),
];

function linesOfTwice(rounds: readonly Overloaded[]): readonly Line[] {
  const of = (pick: (round: Overloaded) => number) => medianOf(rounds, pick);
  const all = (pick: (round: Overloaded) => number) => meanOf(rounds, pick);
  const good = {
    peak: all(({ peak }) => peak.goodPerSecond),
    twice: all(({ twice }) => twice.goodPerSecond),
  };
  const perCpu = {
    peak: all(({ peak }) => peak.goodPerCpuSecond),
    twice: all(({ twice }) => twice.goodPerCpuSecond),
  };
  const ready = rounds.map((round) => round.ready);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return [
    {
      id: 'goodput',
      what: 'pages of 20 at twice the capacity: answered',
      figure: `${count(good.twice)}/s of a peak of ${count(good.peak)}/s`,
      value: good.twice / good.peak,
      unit: 'x the peak',
      target: { least: 0.8 },
      note: `refused ${count(all(({ twice }) => twice.refused.count / twice.seconds))}/s, lost ${sum(rounds.map(({ twice }) => twice.lost))}; the load was late by ${ms(of(({ twice }) => twice.lateP99))} (p99), and ${count(of(({ twice }) => twice.waited))} waited for a connection`,
    },
    {
      id: 'goodput-cpu',
      what: 'the same, in a second of CPU of server and PostgreSQL',
      figure: `${count(perCpu.twice)} of ${count(perCpu.peak)}`,
      value: perCpu.twice / perCpu.peak,
      unit: 'x the peak',
      target: { least: 0.8 },
    },
    {
      id: 'admitted',
      what: 'the same: p99 of the answered',
      figure: `p50 ${ms(of(({ twice }) => twice.good.p50))}, p99 ${ms(of(({ twice }) => twice.good.p99))}; unloaded p50 ${ms(of(({ unloaded }) => unloaded.good.p50))}, p99 ${ms(of(({ unloaded }) => unloaded.good.p99))}`,
      value: of(({ twice, unloaded }) => twice.good.p99 / unloaded.good.p99),
      unit: 'x unloaded',
      target: { most: 5 },
    },
    {
      id: 'refusals',
      what: 'the same: the refusals',
      figure: `p50 ${ms(of(({ twice }) => twice.refused.p50))}, p99 ${ms(of(({ twice }) => twice.refused.p99))}, max ${ms(Math.max(...rounds.map(({ twice }) => twice.refused.max)))}`,
      value: of(({ twice }) => twice.refused.p99),
      unit: 'ms (p99)',
      target: { most: 100 },
    },
    {
      id: 'live',
      what: 'the same: /health/live; readiness',
      figure: `p99 ${ms(of(({ live }) => live.good.p99))}, max ${ms(Math.max(...rounds.map(({ live }) => live.good.max)))}; ready ${sum(ready.map(({ good }) => good.count))} of ${sum(ready.map(countAll))}`,
      value: of(({ live }) => live.good.p99),
      unit: 'ms (p99)',
      target: { most: 100 },
    },
  ];
}

function linesOfLarge({ live, others }: Pick<Crowded, 'live' | 'others'>): readonly Line[] {
  return [
    {
      id: 'large-20',
      what: '20 of the largest pages at once: /health/live beside them',
      figure: `p99 ${ms(live.good.p99)}, max ${ms(live.good.max)}; ${others.good.count} answered in ${ms(others.good.max)}, ${others.refused.count} refused in ${ms(others.refused.max)}`,
      value: live.good.max,
      unit: 'ms (max)',
      target: { most: 100 },
    },
  ];
}

function linesOfCrowd(id: string, who: string, { ordinary, live, others }: Crowded): readonly Line[] {
  const refused = (100 * ordinary.refused.count) / countAll(ordinary);
  return [
    {
      id,
      what: `ordinary pages of 20 beside ${who}`,
      figure: `p50 ${ms(ordinary.good.p50)}, p99 ${ms(ordinary.good.p99)}, ${refused.toFixed(1)} % refused; theirs ${others.good.count} answered (p50 ${ms(others.good.p50)}), ${others.refused.count} refused`,
      value: ordinary.good.p99,
      unit: 'ms (p99)',
      target: null,
      note: `the load was late by ${ms(ordinary.lateP99)} (p99)`,
    },
    {
      id: `${id}/live`,
      what: `/health/live beside ${who}`,
      figure: `p99 ${ms(live.good.p99)}, max ${ms(live.good.max)}`,
      value: live.good.p99,
      unit: 'ms (p99)',
      target: { most: 100 },
    },
  ];
}

function countAll({ statuses, lost }: TrafficFigures): number {
  return Object.values(statuses).reduce((sum, times) => sum + times.count, lost);
}
