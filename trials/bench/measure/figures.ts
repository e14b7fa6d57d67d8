/** What one round of a load gave: a bounded time in which one server was asked as fast as it answers. */
export interface Round {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds from a request's last byte out to its answer's last byte in. */
  readonly p50: number;
  readonly p99: number;
  /** Seconds of CPU of the server, and of PostgreSQL's backends that serve it. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  /** And of the process that asks; where nobody has read it, 0. */
  readonly loadCpu?: number;
}

/** The medians of some rounds. */
export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU a request, in microseconds. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly cpuUs: number;
  /** What asking takes besides. */
  readonly loadUs: number;
  /** How far the CPU a request of the rounds lies apart, as a part of its median. */
  readonly spread: number;
}

export function summarize(rounds: readonly Round[]): Figures {
  const cpu = rounds.map((round) => perRequest(round, round.serverCpu + round.databaseCpu));
  return {
    perSecond: median(rounds.map(({ requests, seconds }) => requests / seconds)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    serverUs: median(rounds.map((round) => perRequest(round, round.serverCpu))),
    databaseUs: median(rounds.map((round) => perRequest(round, round.databaseCpu))),
    cpuUs: median(cpu),
    loadUs: median(rounds.map((round) => perRequest(round, round.loadCpu ?? 0))),
    spread: spreadOf(cpu),
  };
}

function perRequest({ requests }: Round, cpuSeconds: number): number {
  return (cpuSeconds * 1e6) / requests;
}

export function median(values: readonly number[]): number {
  return quantile(sorted(values), 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The distance between the least and the greatest value, as a part of the median; 0 for one value. */
export function spreadOf(values: readonly number[]): number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const middle = median(values);
  return middle === 0 ? 0 : (most - least) / middle;
}

/** The value below which a part of sorted values lies, between two of them in proportion. */
export function quantile(values: ArrayLike<number>, part: number): number {
  if (values.length === 0) return Number.NaN;
  const place = (values.length - 1) * part;
  const below = values[Math.floor(place)] as number;
  const above = values[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

export function sorted(values: readonly number[]): readonly number[] {
  return [...values].sort((a, b) => a - b);
}

/** What a figure must reach: a ratio or a number, at least or at most. */
export type Target = { readonly least: number } | { readonly most: number };

/** Whether a value reaches a target, to the two digits that the table shows. */
export function reaches(value: number, target: Target): boolean {
  const shown = Number(value.toPrecision(2));
  return 'least' in target ? Math.max(value, shown) >= target.least : Math.min(value, shown) <= target.most;
}
