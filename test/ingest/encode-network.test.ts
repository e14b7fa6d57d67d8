import { expect, test } from 'vitest';
import { formatPercentage } from '../../src/domain/decimals.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { encodeBlock } from './encode-network.ts';

const SENT = new Set([
  'beginBlock',
  'endBlock',
  'party',
  'account',
  'deposit',
  'marginLevel',
  'vote',
  'reward',
]);
const CHAIN = 'a-chain';

test('a simulated block is read as what it was made from, and what is not sent takes its place', async () => {
  const events: NetworkEvent[] = [];
  const source = openSimulation({ seed: 3, blocks: 40, parties: 20, markets: 2 });
  for await (const { event } of source.events(new AbortController().signal)) events.push(event);
  const read = encodeBlock(1, events, CHAIN).events.map((bytes) => decodeEvent(bytes));
  expect(read.map(({ chainId }) => chainId)).toEqual(events.map(() => CHAIN));
  const kinds = new Set<string>();
  for (const [index, event] of events.entries()) {
    kinds.add(event.type);
    const got = read[index]?.event;
    if (SENT.has(event.type)) expect(got).toEqual(asRead(event));
    else if (event.type === 'trade') {
      // All but fees are sent.
      const none = { buyerFee: '', sellerFee: '', buyOrder: '', sellOrder: '' };
      expect(got).toEqual({ ...event, row: { ...event.row, ...none } });
    } else expect(got?.type).toBe('other');
  }
  for (const kind of [...SENT, 'trade', 'market']) expect(kinds).toContain(kind);
});

/** The simulation writes small percentages at length, and not in the form of the network's. */
function asRead(event: NetworkEvent): NetworkEvent {
  if (event.type !== 'reward') return event;
  const { row } = event;
  return { ...event, row: { ...row, percentageOfTotal: formatPercentage(row.percentageOfTotal) } };
}
