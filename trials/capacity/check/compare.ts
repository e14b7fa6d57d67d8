import type { CellReport } from '../model/cell.ts';
import type { Times } from '../model/times.ts';
import { time } from '../write-numbers.ts';
import type { CheckedFigure } from './checked.ts';
import type { Taken } from './site.ts';

/** So much may the model and a run differ: a fifth of what was measured. */
const MOST_APART = 0.2;

/** One figure of both, in nanoseconds or in parts of a thousand of a core. */
export interface Compared {
  readonly what: string;
  readonly unit: 'ns' | 'permille';
  readonly model: number;
  readonly measured: number;
  readonly isHeld: boolean;
}

/** The model's answer beside what a run took. Medians and processor time are held; what is rare is the machine's. */
export function compare(report: CellReport, taken: Taken, databaseCores: number): readonly Compared[] {
  const busy = (name: 'processes' | 'database' | 'writer', cores = 1) => report.busyPermille[name] * cores;
  const used = (ns: number) => Math.round(ns / 1e6 / taken.seconds);
  const kept = report.answered.get('kept') as Times;
  const rows = report.answered.get('rows') as Times;
  const cpu = (what: string, model: number, ns: number): Compared => ({
    ...{ what, unit: 'permille', model, measured: used(ns), isHeld: true },
  });
  const both = (what: string, times: Times, { p50, p99 }: Taken['kept']): readonly Compared[] => [
    { what: `${what}, p50`, unit: 'ns', model: times.permille(500) ?? 0, measured: p50, isHeld: true },
    { what: `${what}, p99`, unit: 'ns', model: times.permille(990) ?? 0, measured: p99, isHeld: false },
  ];
  return [
    cpu('a core of the gateway, busy', busy('processes'), taken.gatewayNs),
    cpu('of PostgreSQL for it', busy('database', databaseCores), taken.databaseNs),
    cpu('of the writer, with PostgreSQL for it', busy('writer'), taken.writerNs),
    ...both('a kept answer', kept, taken.kept),
    ...both('a row', rows, taken.rows),
    ...both('from a commit to the first message', report.firstFromCommit, taken.first),
  ];
}

/** How far the model is from what was measured, as a part of that. */
export function apart({ model, measured }: Compared): number {
  return Math.abs(model - measured) / measured;
}

/** Those that are held, and too far apart. A figure that was not measured is no agreement. */
export function faultsOf(compared: readonly Compared[]): readonly Compared[] {
  return compared.filter((one) => one.isHeld && !(apart(one) <= MOST_APART));
}

export function describeCompared(one: Compared): CheckedFigure {
  const write = (value: number) =>
    one.unit === 'ns' ? time(value) : `${Math.floor(value / 10)}.${value % 10} %`;
  const { what, isHeld } = one;
  return { what, model: write(one.model), measured: write(one.measured), isHeld };
}
