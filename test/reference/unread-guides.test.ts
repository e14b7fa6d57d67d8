import { expect, test, vi } from 'vitest';
import { startOwnGateway } from '../support/gateway.ts';

vi.mock('../../src/reference/guide-index.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  readSource: () => Promise.reject(new Error('EMFILE: too many open files')),
}));

test('a guide that cannot be read is an answer of its own, and nothing that ends the process', async () => {
  await using gateway = await startOwnGateway();
  const { status, body } = await gateway.rest('/docs/lists.md');
  expect([status, body.code]).toEqual([500, 13]);
  expect((await fetch(`${gateway.url}/docs/lists`)).status).toBe(200);
});
