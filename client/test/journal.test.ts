import { expect, test } from 'vitest';
import { type Journal, journaled } from '../src/storage/journal.ts';

const block = { height: '1', timestamp: '1' };

/** Keeps lines in memory. */
function openLines() {
  let lines: readonly string[] = [];
  const journal: Journal = {
    append: async () => false,
    async replace(next) {
      lines = next;
    },
    renounce() {},
    async close() {},
  };
  return { count: () => lines.length, storage: journaled(async () => ({ journal, lines })) };
}

test('rows of many lines come back in their order', async () => {
  const { count, storage } = openLines();
  const rows = Array.from({ length: 25_000 }, (_, id) => ({ id }));
  const first = await storage.open('', 'id');
  first.note({ since: null, block, cursor: '1', rows, all: () => rows });
  await first.close();
  expect(count()).toBe(3);
  expect((await storage.open('', 'id')).kept).toEqual({ block, cursor: '1', rows });
});
