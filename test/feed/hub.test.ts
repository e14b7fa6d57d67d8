import { expect, test } from 'vitest';
import type { Change } from '../../src/data/history/change-pages.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import type { NounRow } from '../../src/data/nouns/index.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { type FeedBlock, NO_BLOCK } from '../../src/feed/events.ts';
import { Hub } from '../../src/feed/hub.ts';
import { topicOf } from '../../src/feed/topics.ts';
import { takeFrom } from '../support/mailboxes.ts';

type Row = NounRow<'account'>;

const block: FeedBlock = { ...NO_BLOCK, height: 7n, position: 700n };
const createHub = () => new Hub(topicOf(accounts), { maxMessages: 5, maxWeight: 100 });

test('hands each reader what passes its filter, as one message for the block', async () => {
  const hub = createHub();
  const [anns, general, all] = [
    { partyIds: ['ann'] },
    { accountTypes: [accountTypes.numbers.ACCOUNT_TYPE_GENERAL] },
    {},
  ].map((filter) => hub.join(filter as object).mailbox);
  hub.publish(block, [change(1n, 'ann', 'GENERAL'), change(2n, 'bob', 'GENERAL'), change(3n, 'ann', 'BOND')]);
  const told = await Promise.all([anns, general, all].map((mailbox) => mailbox && takeFrom(mailbox)));
  expect(told.map((message) => message?.rows.map(({ createdPosition }) => createdPosition))).toEqual([
    [1n, 3n],
    [1n, 2n],
    [1n, 2n, 3n],
  ]);
  expect(told.every((message) => message?.block === block && message.position === 700n)).toBe(true);
});

test('tells a row once that changed again in a block whose height began again, as it is at the end', async () => {
  const hub = createHub();
  const { mailbox } = hub.join({});
  const [first, again] = [change(1n, 'ann', 'GENERAL'), change(1n, 'ann', 'GENERAL')];
  hub.publish(block, [first, change(2n, 'bob', 'GENERAL'), again]);
  const told = await takeFrom(mailbox);
  expect(told?.rows.map(({ owner }) => owner)).toEqual(['ann', 'bob']);
  expect(told?.rows[0]).toBe(again.row);
});

test('gives readers with equal filters the very same message, however the filters are written', async () => {
  const hub = createHub();
  const one = hub.join({ partyIds: ['ann', 'bob'] });
  const other = hub.join({ partyIds: ['bob', 'ann', 'bob'], marketIds: [], assetId: null });
  hub.publish(block, [change(1n, 'ann', 'BOND')]);
  expect(await takeFrom(one.mailbox)).toBe(await takeFrom(other.mailbox));
});

test('is not disturbed by a reader that leaves twice', async () => {
  const hub = createHub();
  const gone = hub.join({ partyIds: ['ann'] });
  gone.leave();
  expect(hub.hasReaders).toBe(false);
  const membership = hub.join({ partyIds: ['ann'] });
  gone.leave();
  expect(hub.hasReaders).toBe(true);
  hub.publish(block, [change(1n, 'ann', 'BOND')]);
  expect((await takeFrom(membership.mailbox))?.rows).toHaveLength(1);
  membership.leave();
  expect(hub.hasReaders).toBe(false);
});

test('drops what waits for a reader that left, and tells all readers when blocks were missed', async () => {
  const hub = createHub();
  const readers = [hub.join({ partyIds: ['ann'] }), hub.join({})];
  hub.interrupt();
  expect(await Promise.all(readers.map(({ mailbox }) => takeFrom(mailbox)))).toEqual([null, null]);
  expect(readers.some(({ mailbox }) => mailbox.isFull)).toBe(false);
});

function change(position: bigint, owner: string, type: 'BOND' | 'GENERAL'): Change<Row> {
  const row = {
    createdPosition: position,
    owner,
    assetId: 'gold',
    marketId: '',
    type: accountTypes.numbers[`ACCOUNT_TYPE_${type}`],
  };
  return { position, row: row as Row };
}
