import type { Result } from '../bench.ts';
import { type Figures, reaches } from '../measure/figures.ts';

/** `1,087/s, CPU 1.15 ms + 140 us, p50 14 ms, p99 40 ms`: the server's and PostgreSQL's. */
export function describeFigures({ perSecond, p50, p99, serverUs, databaseUs }: Figures): string {
  const cpu = databaseUs >= 1 ? `${describeUs(serverUs)} + ${describeUs(databaseUs)}` : describeUs(serverUs);
  return `${count(perSecond)}/s, CPU ${cpu}, p50 ${ms(p50)}, p99 ${ms(p99)}`;
}

/** What a result says of two figures: how many times the peer's requests a second, and how much CPU each took. */
export function ratioOf(
  own: Figures,
  peer: Figures,
): Pick<Result, 'value' | 'cpuUs' | 'serverUs' | 'databaseUs' | 'peerCpuUs' | 'spread' | 'note'> {
  return {
    value: own.perSecond / peer.perSecond,
    cpuUs: own.cpuUs,
    serverUs: own.serverUs,
    databaseUs: own.databaseUs,
    peerCpuUs: peer.cpuUs,
    spread: own.spread,
    note: `by CPU ${(peer.cpuUs / own.cpuUs).toPrecision(2)} x`,
  };
}

/** In the unit of the value. */
export function describeTarget({ target }: Pick<Result, 'target'>): string {
  if (target === null) return '';
  return 'least' in target ? `>= ${number(target.least)}` : `<= ${number(target.most)}`;
}

export function describeValue({ value, unit }: Pick<Result, 'value' | 'unit'>): string {
  return value === null ? '-' : `${number(value)} ${unit}`;
}

export function describeOutcome({ value, target }: Pick<Result, 'value' | 'target'>): string {
  if (target === null) return '';
  if (value === null) return '-';
  return reaches(value, target) ? 'yes' : 'NO';
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function describeUs(us: number): string {
  return us >= 1000 ? `${(us / 1000).toPrecision(3)} ms` : `${us.toPrecision(us < 99.5 ? 2 : 3)} us`;
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function number(value: number): string {
  if (Number.isInteger(value) || value >= 100) return count(value);
  return String(Number(value.toPrecision(2)));
}
