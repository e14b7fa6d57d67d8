import type { Bench, BenchCase, Result } from '../bench.ts';
import { compareAnswers } from '../load/compare.ts';
import {
  type DepositQuestion,
  type Phrase,
  phraseGraphql,
  phrasePlain,
  phrasePostgraphile,
  phraseRest,
} from '../load/deposit-questions.ts';
import { type Contender, measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import type { BenchServer } from '../servers/start-server.ts';
import type { TableSizes } from '../size.ts';

/** A question that is asked cold: never twice of one server, so that nothing kept can answer it. */
interface ColdQuestion {
  readonly name: string;
  readonly title: string;
  /** How many such questions there are, and the one of a number. */
  readonly different: (sizes: TableSizes) => number;
  readonly question: (number: number) => DepositQuestion;
  /** What Periscope must reach of the limit's requests a second by REST and by GraphQL, and of PostGraphile's by GraphQL. */
  readonly rest: number;
  readonly graphql: number;
  readonly postgraphile?: number;
}

/** How many questions of each kind are compared before any is timed. */
const COMPARED = 5;

export function coldCase(cold: ColdQuestion): BenchCase {
  const { name, title } = cold;
  return { name, title, run: (bench) => run(bench, cold) };
}

async function run(bench: Bench, cold: ColdQuestion): Promise<readonly Result[]> {
  const sizes = bench.size.rows;
  const [periscope, limit, plain, postgraphile] = await Promise.all([
    bench.periscope(),
    bench.peer('limit'),
    bench.peer('plain'),
    bench.peer('postgraphile'),
  ]);
  const contenders = [
    contender('limit', limit, phraseRest(sizes), cold),
    contender('rest', periscope, phraseRest(sizes), cold),
    contender('graphql', periscope, phraseGraphql(sizes), cold),
    contender('plain', plain, phrasePlain(sizes), cold),
    contender('postgraphile', postgraphile, await phrasePostgraphile(sizes, postgraphile), cold),
  ];
  const different = cold.different(sizes);
  await compareAll(contenders, different);
  const figures = await measure(bench, contenders, { different });
  return results(cold, figures);
}

function contender(name: string, server: BenchServer, phrase: Phrase, { question }: ColdQuestion): Contender {
  return { name, server, request: (number) => phrase(question(number)) };
}

/** Throws unless all contenders say the same of the same rows. The last questions are taken, which are seldom asked again. */
async function compareAll(contenders: readonly Contender[], different: number): Promise<void> {
  const [first, ...others] = contenders as [Contender, ...Contender[]];
  for (let step = 0; step < COMPARED; step += 1) {
    const number = Math.floor((different * step) / COMPARED);
    for (const other of others) {
      await compareAnswers(
        { server: first.server, request: first.request(number) },
        { server: other.server, request: other.request(number) },
        // Relay lets a server say false where it does not know, and PostGraphile does of a page after a cursor.
        other.name === 'postgraphile' ? ['hasPreviousPage'] : [],
      );
    }
  }
}

function results(cold: ColdQuestion, figures: ReadonlyMap<string, Figures>): readonly Result[] {
  const of = (name: string) => figures.get(name) as Figures;
  const beside = (way: 'rest' | 'graphql', peer: string, peerName: string, least: number | null): Result => ({
    id: `${cold.name}/${way}/${peer}`,
    what: `${cold.title}, ${way === 'rest' ? 'REST' : 'GraphQL'}`,
    figure: describeFigures(of(way)),
    beside: `${peerName}: ${describeFigures(of(peer))}`,
    ...ratioOf(of(way), of(peer)),
    target: least === null ? null : { least },
    unit: `x ${peerName}`,
  });
  return [
    beside('rest', 'limit', 'the limit', cold.rest),
    beside('graphql', 'limit', 'the limit', cold.graphql),
    ...(cold.postgraphile === undefined
      ? []
      : [beside('graphql', 'postgraphile', 'PostGraphile', cold.postgraphile)]),
    beside('graphql', 'plain', 'plain', null),
  ];
}
