import type { BenchCase } from '../bench.ts';
import { phraseGraphql } from '../load/deposit-questions.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import { measureRepeated, PEER } from './repeat.ts';

export const repeatGraphql: BenchCase = {
  name: 'repeat-graphql',
  title: 'GraphQL POST again, the same',
  async run(bench) {
    const { own, peer } = await measureRepeated(bench, phraseGraphql(bench.size.rows)({ first: 20 }));
    return [
      {
        id: this.name,
        what: this.title,
        figure: describeFigures(own),
        beside: `${PEER}: ${describeFigures(peer)}`,
        ...ratioOf(own, peer),
        unit: 'x node:http',
        target: { least: 0.5 },
      },
    ];
  },
};
