import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase, Result } from '../bench.ts';
import { idOf } from '../database/rows.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { get, send } from '../load/request.ts';
import { type Contender, measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import type { TableSizes } from '../size.ts';
import { type BlockWriter, startBlockWriter } from '../writer/block-writer.ts';
import { marketDataEvents } from '../writer/events.ts';

/** Ten times as often as the network makes a block. */
const BLOCKS_PER_SECOND = 10;

const FOLLOW_LIMIT_MS = 60_000;

const WORK = {
  'market-data': 'market data',
  position: 'position estimate',
  fee: 'fee estimate',
} as const;

export const markets: BenchCase = {
  name: 'markets',
  title: 'while their market changes at every block',
  async run(bench) {
    const { rows } = bench.size;
    const market = (number: number) => idOf('market', number % rows.markets);
    const periscope = await bench.periscope();
    const ask = (name: keyof typeof WORK, path: (number: number) => string): Contender => ({
      name,
      server: periscope,
      request: (number) => get(path(number)),
    });
    const own = [
      ask('market-data', (n) => `/api/v2/market/data/${market(n)}/latest`),
      ask(
        'position',
        (n) =>
          `/api/v2/estimate/position?marketId=${market(n)}&openVolume=${1_000 + n}&collateralAvailable=${500_000_000 + n}`,
      ),
      ask(
        'fee',
        (n) => `/api/v2/estimate/fee?marketId=${market(n)}&price=${2_300_000 + n}&size=${1_000 + n}`,
      ),
    ];
    const limit: Contender = {
      name: 'limit',
      server: await bench.peer('limit'),
      request: (deposit) => phraseRest(rows)({ deposit }),
    };
    const { url } = await bench.database();
    await using writer = await startBlockWriter(url);
    await checkFollows(writer, own[0] as Contender, rows);
    let figures: ReadonlyMap<string, Figures>;
    {
      using _pace = writer.writeAtPace(BLOCKS_PER_SECOND, (height) => marketDataEvents(height, rows));
      figures = await measure(bench, [limit, ...own], { different: rows.deposits });
    }
    await writer.finish();
    const peer = figures.get('limit') as Figures;
    return own.map(({ name }): Result => {
      const figure = figures.get(name) as Figures;
      return {
        id: `${this.name}/${name}`,
        what: `${WORK[name as keyof typeof WORK]}, ${this.title} (${BLOCKS_PER_SECOND} a second)`,
        figure: describeFigures(figure),
        beside: `the limit's one row: ${describeFigures(peer)}`,
        ...ratioOf(figure, peer),
        unit: 'x the limit',
        target: { least: 0.5 },
      };
    });
  },
};

/** Throws unless an answer that names a block has the price of that block. */
async function checkFollows(
  writer: BlockWriter,
  { server, request }: Contender,
  rows: TableSizes,
): Promise<void> {
  const events = marketDataEvents(writer.height + 1, rows);
  const height = writer.write(events);
  await writer.committed(height);
  const end = Date.now() + FOLLOW_LIMIT_MS;
  for (;;) {
    const { text, headers } = await send(server.url, request(0));
    if (Number(headers.get('X-Block-Height')) >= height) {
      const expected = events[0]?.data['markPrice'];
      const { markPrice } = JSON.parse(text).marketData;
      if (markPrice !== expected)
        throw new Error(`The mark price is ${markPrice} in block ${height}, not ${expected}.`);
      return;
    }
    if (Date.now() > end) throw new Error(`Periscope does not follow: block ${height} is not served.`);
    await sleep(5);
  }
}
