import type { Bench, BenchCase } from '../bench.ts';
import { idOf } from '../database/rows.ts';
import { count, describeUs } from '../report/describe.ts';
import { marketDataEvents } from '../writer/events.ts';
import { measureFollowed } from './subscribers.ts';

const SERIES = `subscription Series($market: ID!) {
  marketSeries(marketId: $market, every: "PT10S") { block { height } cursor buckets { start open high low close isComplete } }
}`;
const DATA = `subscription Data($market: ID!) {
  marketData(marketIds: [$market]) {
    block { height }
    cursor
    snapshot { marketData { market markPrice bestBidPrice bestOfferPrice lastTradedPrice marketState } }
    updates { marketData { market markPrice bestBidPrice bestOfferPrice lastTradedPrice marketState } }
  }
}`;

export const liveSeries: BenchCase = {
  name: 'live-series',
  title: 'subscribers of one live series, a message',
  async run(bench) {
    const subscribers = bench.size.oneParty;
    const own = await measureMessage(bench, SERIES, subscribers);
    const data = await measureMessage(bench, DATA, subscribers);
    return [
      {
        id: this.name,
        what: `${count(subscribers)} ${this.title}`,
        figure: `${describeUs(own)} CPU a message`,
        beside: `of the market's data: ${describeUs(data)} CPU a message`,
        value: own / data,
        unit: 'x the CPU of data',
        target: { most: 1 },
        cpuUs: own,
        peerCpuUs: data,
        spread: 0,
        note: '',
      },
    ];
  },
};

/** The CPU of a message, in microseconds, where each block is one to each of equal subscribers. */
async function measureMessage(bench: Bench, query: string, subscribers: number): Promise<number> {
  const seconds = await measureFollowed(bench, {
    query,
    variables: Array.from({ length: subscribers }, () => ({ market: idOf('market', 0) })),
    events: (block, height) => marketDataEvents(height + block + 1, { ...bench.size.rows, markets: 1 }),
    messages: subscribers,
    isOneByOne: true,
  });
  return (seconds * 1e6) / (bench.size.streamBlocks * subscribers);
}
