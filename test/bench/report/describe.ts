import { type Figures, reaches } from '../measure/figures.ts';
import type { Result } from '../bench.ts';

/** `1,087/s, 1.29 ms CPU (1.1 + 0.2), p50 14 ms, p99 40 ms` */
export function describeFigures({ perSecond, p50, p99, serverUs, databaseUs, cpuUs }: Figures): string {
  const parts = databaseUs >= 1 ? ` (${describeUs(serverUs)} + ${describeUs(databaseUs)})` : '';
  return `${count(perSecond)}/s, ${describeUs(cpuUs)} CPU${parts}, p50 ${ms(p50)}, p99 ${ms(p99)}`;
}

/** What a result says of two figures: how many times the peer's requests a second, and how much CPU each took. */
export function ratioOf(own: Figures, peer: Figures): Pick<Result, 'value' | 'cpuUs' | 'spread' | 'note'> {
  return {
    value: own.perSecond / peer.perSecond,
    cpuUs: own.cpuUs,
    spread: own.spread,
    note: `by CPU ${(peer.cpuUs / own.cpuUs).toPrecision(2)} x`,
  };
}

export function describeTarget({ target, unit }: Pick<Result, 'target' | 'unit'>): string {
  if (target === null) return '';
  return 'least' in target ? `>= ${number(target.least)} ${unit}` : `<= ${number(target.most)} ${unit}`;
}

export function describeValue({ value, unit }: Pick<Result, 'value' | 'unit'>): string {
  return value === null ? '-' : `${number(value)} ${unit}`;
}

export function describeOutcome({ value, target }: Pick<Result, 'value' | 'target'>): string {
  if (target === null) return '';
  if (value === null) return 'not measured';
  return reaches(value, target) ? 'reached' : 'NOT reached';
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function describeUs(us: number): string {
  return us >= 1000 ? `${(us / 1000).toPrecision(3)} ms` : `${us.toPrecision(us < 100 ? 2 : 3)} us`;
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function number(value: number): string {
  if (Number.isInteger(value) || value >= 100) return count(value);
  return String(Number(value.toPrecision(2)));
}
