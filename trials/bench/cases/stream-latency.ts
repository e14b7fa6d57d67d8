import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench.ts';
import { idOf } from '../database/rows.ts';
import { quantile, sorted } from '../measure/figures.ts';
import { ms } from '../report/describe.ts';
import { startPeriscope } from '../servers/start-server.ts';
import { ACCOUNTS_OF_PARTY, MANY_STREAMS } from '../streams/settings.ts';
import { socketUrl, startSubscribers } from '../streams/start-subscribers.ts';
import { startBlockWriter } from '../writer/block-writer.ts';
import { balanceEvents } from '../writer/events.ts';

const PARTY = 2;
const WARM_UP = 10;
/** Blocks apart, so that nothing waits for anything. */
const PAUSE_MS = 50;

export const streamLatency: BenchCase = {
  name: 'stream-latency',
  title: 'change committed to message at the client, unloaded',
  async run(bench) {
    const database = await bench.database();
    await using server = await startPeriscope({ ...MANY_STREAMS, DATABASE_URL: database.readerUrl });
    await using streams = await startSubscribers({
      urls: [socketUrl(server.url, '/graphql')],
      graphql: { query: ACCOUNTS_OF_PARTY, variables: [{ party: idOf('party', PARTY) }] },
      beginning: 1,
    });
    await using writer = await startBlockWriter(database.url);
    const times: number[] = [];
    const blocks = WARM_UP + 2 * bench.size.streamBlocks;
    for (let block = 0; block < blocks; block += 1) {
      const committed = writer.committed(writer.write(balanceEvents(block, PARTY, [0])));
      const [at, { first }] = await Promise.all([committed, streams.receive(1)]);
      // Both hear of the commit by the same notification: the message cannot be there much before it.
      if (block >= WARM_UP) times.push(Math.max(0, Number(first - at) / 1e6));
      await sleep(PAUSE_MS);
    }
    await writer.finish();
    const values = sorted(times);
    const [p50, p99] = [quantile(values, 0.5), quantile(values, 0.99)];
    const common = {
      what: this.title,
      figure: `p50 ${ms(p50)}, p99 ${ms(p99)}`,
      beside: '',
      cpuUs: null,
      peerCpuUs: null,
      spread: 0,
      note: `${times.length} blocks`,
    };
    return [
      { id: `${this.name}/p50`, ...common, value: p50, unit: 'ms (p50)', target: { most: 10 } },
      { id: `${this.name}/p99`, ...common, value: p99, unit: 'ms (p99)', target: { most: 40 } },
    ];
  },
};
