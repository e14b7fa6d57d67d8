import { bench, describe } from 'vitest';
import { accounts, followOver, keep, type Receiver, type Result, system } from '../src/index.ts';

// Run with `npx vitest bench client`; hz times the rows of a block is changes per second on one core.

const ROWS = 10_000;

/** A block that changes all rows, as the gateway writes it. */
function writeBlock(height: number): string {
  const block = { height: `${height}`, timestamp: `${height}000000000` };
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    ...{ id: `account ${n}`, owner: `party ${n % 500}`, marketId: '', asset: 'asset' },
    ...{ type: 'ACCOUNT_TYPE_GENERAL', balance: `${height}${n}` },
  }));
  const snapshot = height === 1 ? { accounts: rows, lastPage: true } : null;
  const updates = height === 1 ? null : { accounts: rows };
  return JSON.stringify({ data: { accounts: { block, cursor: `${height}`, snapshot, updates } } });
}

/** Rows that are kept of what is handed to them. */
async function openRows(indexes: readonly ('owner' | 'balance')[] = []) {
  let receiver: Receiver | undefined;
  const transport = {
    name: 'handed over',
    open(_: unknown, to: Receiver) {
      receiver = to;
      return () => {};
    },
  };
  const environment = { ...system, after: () => () => {} };
  const live = keep(accounts, followOver([() => transport], accounts, { url: 'http://one', environment }));
  const take = async (result: Result) => {
    const told = new Promise<void>((resolve) => {
      const end = live.subscribe(() => {
        end();
        resolve();
      });
    });
    receiver?.onResult(result);
    await told;
  };
  await take(JSON.parse(writeBlock(1)));
  for (const field of indexes) live.where(field, '');
  return take;
}

const texts = [writeBlock(2), writeBlock(3)];
const blocks = texts.map((text): Result => JSON.parse(text));
const plain = await openRows();
const indexed = await openRows(['owner', 'balance']);
let turn = 0;

describe(`a block that changes ${ROWS} rows`, () => {
  bench('is folded', () => plain(blocks[turn++ % 2] as Result));
  bench('is folded with two indexes, of which one changes', () => indexed(blocks[turn++ % 2] as Result));
  bench('is read of its text and folded', () => plain(JSON.parse(texts[turn++ % 2] as string)));
});
