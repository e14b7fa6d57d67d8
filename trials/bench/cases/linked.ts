import type { BenchCase, Result } from '../bench.ts';
import { compareAnswers } from '../load/compare.ts';
import { type Phrase, phraseGraphql, phrasePlain, phrasePostgraphile } from '../load/deposit-questions.ts';
import { type Contender, measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import type { BenchServer } from '../servers/start-server.ts';

const FIRST = 100;

export const linked: BenchCase = {
  name: 'linked-100',
  title: '100 deposits with party, its accounts and asset, cold',
  async run(bench) {
    const { rows } = bench.size;
    const postgraphile = await bench.peer('postgraphile');
    const own = contender('own', await bench.periscope(), phraseGraphql(rows, true));
    const peers = [
      contender('postgraphile', postgraphile, await phrasePostgraphile(rows, postgraphile, true)),
      contender('plain', await bench.peer('plain'), phrasePlain(rows, true)),
    ];
    const different = rows.deposits - FIRST;
    for (const peer of peers) {
      for (const number of [0, Math.floor(different / 2), different - 1]) {
        await compareAnswers(
          { server: own.server, request: own.request(number) },
          { server: peer.server, request: peer.request(number) },
        );
      }
    }
    const figures = await measure(bench, [own, ...peers], { different });
    const of = (name: string) => figures.get(name) as Figures;
    const beside = (peer: string, peerName: string, least: number): Result => ({
      id: `${this.name}/${peer}`,
      what: this.title,
      figure: describeFigures(of('own')),
      beside: `${peerName}: ${describeFigures(of(peer))}`,
      ...ratioOf(of('own'), of(peer)),
      unit: `x ${peerName}`,
      target: { least },
    });
    return [beside('postgraphile', 'PostGraphile', 1.5), beside('plain', 'plain', 3)];
  },
};

function contender(name: string, server: BenchServer, phrase: Phrase): Contender {
  return { name, server, request: (number) => phrase({ first: FIRST, after: number + FIRST }) };
}
