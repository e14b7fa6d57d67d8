import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Enumeration, MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { accountTypes, depositStatuses, voteValues } from '../../src/domain/enumerations.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { withNames } from '../support/named-rows.ts';
import { BLOCK, chunksOf, NETWORK, readInput } from './ndjson-lines.ts';

test('reads back any deposit, account and vote, also of numbers without a name, however the bytes are cut', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const ids = fc.stringMatching(/^[a-z0-9-]{1,40}$/);
  const amounts = fc.bigInt({ min: -(10n ** 78n), max: 10n ** 78n }).map(String);
  const times = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const events: fc.Arbitrary<KeptEvent> = fc.oneof(
    fc.record({
      type: fc.constant('deposit' as const),
      row: fc.record({
        id: ids,
        partyId: ids,
        assetId: ids,
        amount: amounts,
        status: numbersOf(depositStatuses),
        txHash: text,
        createdTimestamp: times,
        creditedTimestamp: times,
      }),
    }),
    fc.record({
      type: fc.constant('account' as const),
      row: fc.record({
        owner: ids,
        assetId: ids,
        marketId: fc.oneof(fc.constant(''), ids),
        type: numbersOf(accountTypes),
        balance: amounts,
      }),
    }),
    fc.record({
      type: fc.constant('vote' as const),
      row: fc.record({
        proposalId: ids,
        partyId: ids,
        value: numbersOf(voteValues),
        timestamp: times,
        totalGovernanceTokenBalance: amounts,
        totalGovernanceTokenWeight: amounts,
        totalEquityLikeShareWeight: amounts,
        elsPerMarket: fc.option(fc.array(fc.record({ marketId: ids, els: amounts }))),
      }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(events), fc.integer({ min: 1, max: 500 }), async (written, size) => {
      const lines = [NETWORK, BLOCK, ...written.map(toLine)];
      const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
      const { items, error } = await readInput(openNdjson('-', Readable.from(chunksOf(bytes, size))));
      expect(error).toBeNull();
      expect(items.flatMap((block) => block.events.map(({ event }) => event))).toEqual(written);
    }),
    { numRuns: 60 },
  );
});

/** An event as the line that it is documented to be. */
function toLine({ type, row }: KeptEvent) {
  const renamed: Record<string, string> = { assetId: 'asset' };
  const data = Object.entries(withNames(type, row)).map(([key, value]) => [
    renamed[key] ?? key,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return { type, data: Object.fromEntries(data) };
}

/** The numbers that have names, and any others that an enumeration can have. */
function numbersOf({ numbers }: Enumeration): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(...Object.values(numbers)),
    fc.nat({ max: MAX_ENUMERATION_NUMBER }),
    fc.constant(MAX_ENUMERATION_NUMBER),
  );
}
