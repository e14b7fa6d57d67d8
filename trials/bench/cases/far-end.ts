import type { BenchCase } from '../bench.ts';
import { fillRewards } from '../database/fill.ts';
import { cursorOfRow } from '../database/rows.ts';
import { get, send } from '../load/request.ts';
import { type Contender, measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { count, describeFigures } from '../report/describe.ts';
import { type BenchServer, startPeriscope } from '../servers/start-server.ts';

const FIRST = 20;

export const farEnd: BenchCase = {
  name: 'far-end',
  title: 'a page at the far end beside the first pages',
  async run(bench) {
    const sizes = { ...bench.size.rows, rewards: bench.size.deepRewards };
    const name = `rewards_${bench.size.name}`;
    const database = await bench.postgres.openKept(name, (client) => fillRewards(client, sizes));
    await using server = await startPeriscope({ DATABASE_URL: database.readerUrl });
    // The first and the last hundredth of the list, whose first row is the newest.
    const part = Math.floor(sizes.rewards / 100);
    const contenders = [
      contender('near', server, (number) => cursorOfRow('rewards', sizes.rewards - 1 - number, sizes)),
      contender('far', server, (number) => cursorOfRow('rewards', part + FIRST - number, sizes)),
    ];
    for (const { request } of contenders) await checkPage(server, request(0).path);
    const figures = await measure(bench, contenders, { different: part });
    const [near, far] = [figures.get('near') as Figures, figures.get('far') as Figures];
    return [
      {
        id: this.name,
        what: `${count(sizes.rewards)} rewards, ${this.title}`,
        figure: describeFigures(far),
        beside: `the first pages: ${describeFigures(near)}`,
        value: far.p50 / near.p50,
        unit: 'x the time (p50)',
        target: { most: 1.2 },
        cpuUs: far.cpuUs,
        peerCpuUs: near.cpuUs,
        spread: far.spread,
        note: `by CPU ${(far.cpuUs / near.cpuUs).toPrecision(2)} x`,
      },
    ];
  },
};

function contender(name: string, server: BenchServer, cursorOf: (number: number) => string): Contender {
  return {
    name,
    server,
    request: (number) =>
      get(`/api/v2/rewards?pagination.first=${FIRST}&pagination.after=${cursorOf(number)}`),
  };
}

async function checkPage({ url }: BenchServer, path: string): Promise<void> {
  const { edges } = JSON.parse((await send(url, get(path))).text).rewards;
  if (edges.length !== FIRST) throw new Error(`${path} gives ${edges.length} rewards.`);
}
