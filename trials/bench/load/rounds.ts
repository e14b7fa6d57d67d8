import type { Bench } from '../bench.ts';
import { READER } from '../database/bench-database.ts';
import { shuffled } from '../database/rows.ts';
import { cpuBetween, readBackendCpu, readCpu, readServerCpu } from '../measure/cpu.ts';
import { type Figures, type Round, summarize } from '../measure/figures.ts';
import type { BenchServer } from '../servers/start-server.ts';
import type { BenchRequest } from './request.ts';
import type { LoadRun } from './start-loader.ts';

/** One way of asking one server, which has its own line in the comparison. */
export interface Contender {
  readonly name: string;
  readonly server: BenchServer;
  /** The question of a number, which is the same for all contenders, in this one's words. */
  readonly request: (number: number) => BenchRequest;
}

/** How many different questions there are: each is asked once, so that no answer can have been kept. Or one again and again. */
export type Questions = { readonly different: number } | 'one';

/** After so many, what is hot has been compiled. */
const WARM_REQUESTS = 5_000;
/** More than a server answers; what is not sent in a round is left out. */
const MOST_PER_SECOND = 20_000;

/**
 * Measures contenders in rounds, each of which asks every one of them once, so that what else the machine does falls on
 * all of them. A first round is for warming up, and is forgotten.
 */
export async function measure(
  bench: Bench,
  contenders: readonly Contender[],
  questions: Questions,
): Promise<ReadonlyMap<string, Figures>> {
  const { rounds, roundMs, warmUpMs } = bench.size;
  const numbers = questions === 'one' ? [0] : [...shuffled(questions.different)];
  const share = questions === 'one' ? 0 : Math.floor(numbers.length / (rounds + 1));
  const measured = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const durationMs = round === 0 ? warmUpMs : roundMs;
    const most = Math.min(share, Math.ceil((MOST_PER_SECOND * durationMs) / 1000));
    const asked = questions === 'one' ? numbers : numbers.slice(round * share, round * share + most);
    for (const contender of beginningWith(round, contenders)) {
      const how = { repeat: questions === 'one', durationMs, least: round === 0 ? WARM_REQUESTS : 0 };
      const result = await measureRound(bench, contender, asked, how);
      if (round > 0) measured.get(contender.name)?.push(result);
    }
  }
  return new Map([...measured].map(([name, ofName]) => [name, summarize(ofName)]));
}

/** Each is the first in its turn: whoever asks for a row first brings it into the memory of PostgreSQL for the others. */
function beginningWith(round: number, contenders: readonly Contender[]): readonly Contender[] {
  const first = round % contenders.length;
  return [...contenders.slice(first), ...contenders.slice(0, first)];
}

/** One round of one contender. */
export async function measureRound(
  { loader, postgres, size }: Bench,
  { server, request }: Contender,
  numbers: readonly number[],
  how: Pick<LoadRun, 'repeat' | 'durationMs' | 'least'> & { readonly connections?: number },
): Promise<Round> {
  const requests = numbers.map(request);
  const before = {
    load: readCpu([loader.pid]),
    server: readServerCpu(server.pid),
    database: readBackendCpu(postgres.pid, READER),
  };
  const report = await loader.run({ url: server.url, requests, connections: size.connections, ...how });
  return {
    ...report,
    loadCpu: cpuBetween(before.load, readCpu([loader.pid])),
    serverCpu: cpuBetween(before.server, readServerCpu(server.pid)),
    databaseCpu: cpuBetween(before.database, readBackendCpu(postgres.pid, READER)),
  };
}
