import type { Bench } from '../bench.ts';
import { READER } from '../database/bench-database.ts';
import type { OpenLoop, TrafficFigures } from '../load/start-open-loop.ts';
import { cpuBetween, readBackendCpu, readCpu } from '../measure/cpu.ts';
import { mean, median } from '../measure/figures.ts';
import type { BenchServer } from '../servers/start-server.ts';
import { LIVE, pages, READY } from './questions.ts';

/** What a gateway does as fast as it can, unloaded, and when it is asked for twice what it can. */
export interface Overloaded {
  readonly peak: Measured;
  readonly unloaded: TrafficFigures;
  readonly twice: Measured;
  readonly live: TrafficFigures;
  readonly ready: TrafficFigures;
}

interface Measured extends TrafficFigures {
  /** How many were answered in a second of CPU of the server and PostgreSQL: what others do on the machine counts little. */
  readonly goodPerCpuSecond: number;
}

const DURATIONS_MS = {
  full: { settleMs: 300, durationMs: 2_000 },
  quick: { settleMs: 300, durationMs: 1_500 },
} as const;
/** A machine with others' work gives now more, now less, for seconds: what is compared is measured close together, and often. */
const ROUNDS = { full: 12, quick: 6 } as const;
/** As many as keep a gateway busy, and no more than wait for it for a moment. */
const AT_ONCE = 16;
/** As many connections as are never all under way where what is refused is refused in time. */
const CONNECTIONS = 400;
const CLIENTS = Array.from({ length: 40 }, (_, client) => client);
const PROBES_PER_SECOND = 20;

/** Asks for pages of 20, all different, from forty clients, in rounds. */
export async function overloadWithPages(
  { size, postgres }: Bench,
  load: OpenLoop,
  { url, pid }: BenchServer,
): Promise<readonly Overloaded[]> {
  const requests = pages(size.rows, { first: 20, clients: CLIENTS, most: 60_000 });
  let asked = 0;
  const run = async (perSecond: number | null, connections: number) => {
    // Each goes on where the one before ended, so that nothing kept answers.
    const rest = [...requests.slice(asked), ...requests.slice(0, asked)];
    const readAll = () => new Map([...readCpu([pid]), ...readBackendCpu(postgres.pid, READER)]);
    const before = readAll();
    const figures = await load.run({
      url,
      ...DURATIONS_MS[size.name],
      traffic: [
        { name: 'pages', requests: rest, perSecond, connections },
        { name: 'live', requests: [LIVE], perSecond: PROBES_PER_SECOND, connections: 4 },
        { name: 'ready', requests: [READY], perSecond: PROBES_PER_SECOND, connections: 4 },
      ],
    });
    const cpuSeconds = cpuBetween(before, readAll());
    const of = (name: string) => figures.get(name) as TrafficFigures;
    const own = of('pages');
    asked = (asked + (own.good.count + own.refused.count) * 2) % requests.length;
    const measured: Measured = { ...own, goodPerCpuSecond: own.good.count / cpuSeconds };
    return { own: measured, live: of('live'), ready: of('ready') };
  };
  const { own: first } = await run(null, AT_ONCE);
  await run(2 * first.goodPerSecond, CONNECTIONS);
  // Both ways are warm now.
  const rounds: Overloaded[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS[size.name]; round += 1) {
    const { own: peak } = await run(null, AT_ONCE);
    peaks.push(peak.goodPerSecond);
    const { own: unloaded } = await run(peak.goodPerSecond / 10, AT_ONCE);
    const { own: twice, live, ready } = await run(2 * mean(peaks), CONNECTIONS);
    rounds.push({ peak, unloaded, twice, live, ready });
  }
  return rounds;
}

/** The mean of something of all rounds: of one that the machine slowed down beside one that it did not, none is right. */
export function meanOf(rounds: readonly Overloaded[], pick: (round: Overloaded) => number): number {
  return mean(rounds.map(pick));
}

/** The median of something of each round. */
export function medianOf(rounds: readonly Overloaded[], pick: (round: Overloaded) => number): number {
  return median(rounds.map(pick));
}
