import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 4, blocks: 30, parties: 12, markets: 3 }),
);
const gateway = await forAllTests(startTestGateway(simulated.url));

test('a search says what the query of its name says, by its parameters', async () => {
  const { data } = await gateway.graphql('{ markets { nodes { id } } assets { nodes { symbol } } }');
  const texts = [
    ...data.markets.nodes.map(({ id }: { readonly id: string }) => id.slice(0, 3).toUpperCase()),
    ...data.assets.nodes.map(({ symbol }: { readonly symbol: string }) => symbol.toLowerCase()),
    '7',
  ];
  let found = 0;
  for (const text of texts)
    for (const [query, args] of [
      ['', ''],
      ['&kinds=MARKET,ASSET', ', kinds: [MARKET, ASSET]'],
      ['&kinds=BLOCK&kinds=PARTY&first=2', ', kinds: [BLOCK, PARTY], first: 2'],
    ]) {
      const { body } = await gateway.rest(`/api/v2/search?text=${text}${query}`);
      const asked = `{ results: search(text: "${text}"${args}) { kind id: objectId matched value isExact } }`;
      expect(body).toEqual((await gateway.graphql(asked)).data);
      found += body.results.length;
    }
  expect(found).toBeGreaterThan(texts.length);
});

test.each([
  ['', 'Parameter text is missing; it takes 1 to 256 characters without a NUL.'],
  ['text=', 'Parameter text is missing; it takes 1 to 256 characters without a NUL.'],
  [`text=${'x'.repeat(257)}`, 'it takes 1 to 256 characters without a NUL.'],
  ['text=a&kinds=ORDER', 'Parameter kinds is "ORDER"; it takes one of BLOCK, EPOCH, PARTY'],
  ['text=a&first=51', 'Parameter first is "51"; it takes a whole number from 1 to 50.'],
])('%.20s is refused by name and value', async (query, message) => {
  const { status, body } = await gateway.rest(`/api/v2/search?${query}`);
  expect([status, body.code]).toEqual([400, 3]);
  expect(body.message).toContain(message);
});
