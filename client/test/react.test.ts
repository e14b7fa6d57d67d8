import { createElement, memo, useMemo } from 'react';
import { act, create } from 'react-test-renderer';
import { expect, test } from 'vitest';
import { useIds, useRow, useRows } from '../src/adapters/react.ts';
import { accounts, keep, type LiveRows } from '../src/index.ts';
import { type PushedRow, pushedBlocks } from './pushed-blocks.ts';

const ROWS = 10_000;
const CHANGED = 1_000;
const BLOCKS = 5;

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

type Live = LiveRows<PushedRow>;
const renders = { list: 0, row: 0, cell: 0, block: 0 };

function Row({ live, id }: { readonly live: Live; readonly id: string }) {
  renders.row += 1;
  return createElement('tr', { id }, useRow(live, id)?.balance);
}
const KeptRow = memo(Row);

function List({ live }: { readonly live: Live }) {
  renders.list += 1;
  return useIds(live).map((id) => createElement(KeptRow, { key: id, live, id }));
}

const Cell = memo(({ row }: { readonly row: PushedRow }) => {
  renders.cell += 1;
  return row.balance;
});

function Block({ live }: { readonly live: Live }) {
  renders.block += 1;
  const { asOf, rows } = useRows(live);
  // As React's compiler does by itself.
  const shown = useMemo(() => [...rows.values()], [rows]);
  return [asOf?.height, ...shown.map((row) => createElement(Cell, { key: row.id, row }))];
}

/** Renders a component over 10,000 rows, of which a tenth change in each block; gives what it shows in the end. */
async function show(component: typeof List | typeof Block) {
  const { following, push } = pushedBlocks();
  const live: Live = keep({ lists: accounts.lists }, following);
  const state = Array.from({ length: ROWS }, (_, n) => ({ id: `a${n}`, balance: '0' }));
  await push('snapshot', state);
  await live.ready;
  let root: ReturnType<typeof create> | undefined;
  await act(async () => {
    root = create(createElement(component, { live }));
  });
  const first = { ...renders };
  for (let block = 1; block <= BLOCKS; block++)
    await act(async () => {
      const changed = Array.from({ length: CHANGED }, (_, n) => ({
        id: `a${n * 7 + block}`,
        balance: `${block}`,
      }));
      for (const row of changed) state[Number(row.id.slice(1))] = row;
      await push('changes', changed);
      await expect.poll(() => live.asOf?.height, { interval: 1 }).toBe(`${block + 1}`);
    });
  const shown = root?.toJSON();
  const since = (name: keyof typeof renders) => renders[name] - first[name];
  return { state, shown, since, root, live, push };
}

test('of ten thousand rows a block renders those that it changed, and the list not at all', async () => {
  const { state, shown, since, root, live, push } = await show(List);
  expect(since('row')).toBe(BLOCKS * CHANGED);
  expect(since('list')).toBe(0);
  expect((shown as unknown as { children: string[] }[]).map(({ children }) => children[0])).toEqual(
    state.map(({ balance }) => balance),
  );
  // A row that is new is a new list; what is shown no more listens no more.
  await act(async () => {
    await push('changes', [{ id: 'new', balance: '1' }]);
    await expect.poll(() => live.size, { interval: 1 }).toBe(ROWS + 1);
  });
  expect([since('list'), since('row')]).toEqual([1, BLOCKS * CHANGED + 1]);
  await act(async () => root?.unmount());
  await push('changes', [{ id: 'new', balance: '2' }]);
  await expect.poll(() => live.get('new')?.balance).toBe('2');
  expect(since('row')).toBe(BLOCKS * CHANGED + 1);
  // Who is handed them cannot change them.
  const { rows } = live.getSnapshot();
  rows.forEach((row, id, all) => {
    if (all !== rows || row !== rows.get(id)) throw new Error(`${id} is handed out with other rows`);
  });
});

test('all rows of a block are one snapshot, whose rows stay the same objects', async () => {
  const { state, shown, since } = await show(Block);
  expect(since('block')).toBe(BLOCKS);
  expect(since('cell')).toBe(BLOCKS * CHANGED);
  expect(shown).toEqual([`${BLOCKS + 1}`, ...state.map(({ balance }) => balance)]);
});
