import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchCase } from '../bench.ts';
import { type BenchRequest, graphql, send } from '../load/request.ts';
import { ms } from '../report/describe.ts';
import { type BenchServer, startPeriscope } from '../servers/start-server.ts';

const TIMES = 4;

/** Just within what an operation may cost: the largest page there is, with all fields and links of its rows. */
const DEAR = graphql(
  `{ accounts(first: 5000) {
    edges { cursor node {
      owner balance asset marketId type party { id } assetNode { id name symbol decimals status } market { id }
    } }
    pageInfo { hasNextPage startCursor endCursor }
  } }`,
  {},
);

export const eventLoop: BenchCase = {
  name: 'event-loop',
  title: 'the longest that one permitted request holds the event loop',
  async run(bench) {
    const { readerUrl } = await bench.database();
    const probe = join(import.meta.dirname, '..', 'servers', 'event-loop-probe.mjs');
    await using server = await startPeriscope({ DATABASE_URL: readerUrl }, { flags: ['--import', probe] });
    const holds: number[] = [];
    for (let time = 0; time < TIMES; time += 1) holds.push(await longestHold(server, DEAR));
    const longest = Math.max(...holds);
    return [
      {
        id: this.name,
        what: `${this.title}: accounts(first: 5000) with its links`,
        figure: ms(longest),
        beside: '',
        value: longest,
        unit: 'ms',
        target: { most: 50 },
        cpuUs: null,
        peerCpuUs: null,
        spread: 0,
        note: `of ${TIMES}: ${holds.map(ms).join(', ')}`,
      },
    ];
  },
};

async function longestHold(server: BenchServer, request: BenchRequest): Promise<number> {
  await askProbe(server, 'reset');
  await send(server.url, request);
  return askProbe(server, 'longest');
}

async function askProbe({ process: child }: BenchServer, question: 'reset' | 'longest'): Promise<number> {
  const answer = once(child, 'message');
  child.send(question);
  const [value] = await answer;
  return value as number;
}
