import type { Bench } from '../bench.ts';
import type { OpenLoop, TrafficFigures } from '../load/start-open-loop.ts';
import type { BenchServer } from '../servers/start-server.ts';
import { LIVE, pages, READY } from './questions.ts';

/** What a gateway does unloaded, as fast as it can, and when it is asked for twice that. */
export interface Overloaded {
  readonly perSecond: number;
  readonly unloaded: TrafficFigures;
  readonly twice: TrafficFigures;
  readonly live: TrafficFigures;
  readonly ready: TrafficFigures;
}

const DURATIONS_MS = {
  full: { settleMs: 2_000, durationMs: 12_000 },
  quick: { settleMs: 1_000, durationMs: 7_000 },
} as const;
/** As many as keep a gateway busy, and no more than wait for it for a moment. */
const AT_ONCE = 16;
/** As many connections as are never all under way where what is refused is refused in time. */
const CONNECTIONS = 400;
const CLIENTS = Array.from({ length: 40 }, (_, client) => client);
/** A machine with others' work gives now more, now less. */
const PEAK_SPREAD = 1.25;
const MOST_DOUBLINGS = 2;
const PROBES_PER_SECOND = 20;

/** Asks for pages of 20, all different, from forty clients. */
export async function overloadWithPages(
  { size }: Bench,
  load: OpenLoop,
  { url }: BenchServer,
): Promise<Overloaded> {
  const requests = pages(size.rows, { first: 20, clients: CLIENTS, most: 60_000 });
  let asked = 0;
  const run = async (perSecond: number | null, connections: number) => {
    // Each goes on where the one before ended, so that nothing kept answers.
    const rest = [...requests.slice(asked), ...requests.slice(0, asked)];
    const figures = await load.run({
      url,
      ...DURATIONS_MS[size.name],
      traffic: [
        { name: 'pages', requests: rest, perSecond, connections },
        { name: 'live', requests: [LIVE], perSecond: PROBES_PER_SECOND, connections: 4 },
        { name: 'ready', requests: [READY], perSecond: PROBES_PER_SECOND, connections: 4 },
      ],
    });
    const own = figures.get('pages') as TrafficFigures;
    asked = (asked + (own.good.count + own.refused.count) * 2) % requests.length;
    return figures;
  };
  await run(null, AT_ONCE); // Warms up.
  let peak = ((await run(null, AT_ONCE)).get('pages') as TrafficFigures).goodPerSecond;
  for (let doubling = 0; ; doubling += 1) {
    const unloaded = (await run(peak / 10, AT_ONCE)).get('pages') as TrafficFigures;
    const at = await run(2 * peak, CONNECTIONS);
    const of = (name: string) => at.get(name) as TrafficFigures;
    const twice = of('pages');
    if (twice.goodPerSecond <= PEAK_SPREAD * peak || doubling === MOST_DOUBLINGS)
      return { perSecond: peak, unloaded, twice, live: of('live'), ready: of('ready') };
    peak = twice.goodPerSecond; // It can more than was seen, so that it was not overloaded.
  }
}
