import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { TimeSlice } from '../../src/time-slice.ts';

test('gives way before something that is done at once with many rows, not with few', async () => {
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  const slice = new TimeSlice();
  await slice.before(1000);
  expect(turned).toBe(false);
  await slice.before(5000);
  expect(turned).toBe(true);
});

test('a page gives way so before it is written, and before its parts are put together', async () => {
  const rows = 2000;
  const giveWay = vi.spyOn(TimeSlice.prototype, 'before');
  const texts = async () => Array.from({ length: rows }, (_, row) => [`${rows - row}`, 'ann']);
  const services = { statements: { texts } } as unknown as Parameters<typeof createContext>[0];
  const document = parse(`{ accounts(first: ${rows}) { edges { node { owner } } } }`);
  const result = await prepareOperation(document).run({}, createContext(services));
  expect(result.kind === 'text' && result.data.join('').slice(0, 50)).toContain('"owner":"ann"');
  expect(giveWay.mock.calls).toEqual([[rows], [rows]]);
  giveWay.mockRestore();
});
