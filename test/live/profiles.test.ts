import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ALL_OF_IT } from '../../src/data/history/retention.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';

const LINES = [
  { type: 'network', data: { chainId: 'profiles' } },
  { type: 'block', data: { height: 1, timestamp: '1678443430000000000' } },
  { type: 'partyProfile', data: { partyId: 'alice', alias: 'Al', metadata: [{ key: 'a', value: 'b' }] } },
  { type: 'block', data: { height: 2, timestamp: '1678443431000000000' } },
  { type: 'partyProfile', data: { partyId: 'alice', alias: 'Alice' } },
  { type: 'block', data: { height: 3, timestamp: '1678443432000000000' } },
  { type: 'partyProfile', data: { partyId: 'bob', alias: 'Bob' } },
];

test('what a party says of itself is told block by block, as it was then', async () => {
  await using database = await createTestDatabase();
  const writer = await Writer.open(database.url, ALL_OF_IT);
  const bytes = Buffer.from(LINES.map((line) => JSON.stringify(line)).join('\n'));
  const { signal } = new AbortController();
  await applySource(await openNdjson('-', Readable.from([bytes])), writer, { pace: 'max', signal });
  await writer.close();
  await using gateway = await startTestGateway(database.url);

  const { body } = await gateway.rest('/api/v2/changes?nouns=parties,partyProfiles');
  expect(body.changes.edges.map(({ node }: { readonly node: object }) => node)).toMatchObject([
    {
      block: { height: '1' },
      parties: [{ id: 'alice' }],
      partyProfiles: [{ partyId: 'alice', alias: 'Al', metadata: [{ key: 'a', value: 'b' }] }],
    },
    {
      block: { height: '2' },
      parties: [],
      partyProfiles: [{ partyId: 'alice', alias: 'Alice', metadata: [] }],
    },
    { block: { height: '3' }, parties: [{ id: 'bob' }], partyProfiles: [{ partyId: 'bob', alias: 'Bob' }] },
  ]);
  // What says more of a party than that it is there would be of another block.
  expect(body.changes.edges[0].node.parties).toEqual([{ id: 'alice' }]);

  const after = body.changes.edges[0].cursor;
  const rest = await gateway.rest(
    `/api/v2/changes?nouns=partyProfiles&filter.partyIds=alice&pagination.after=${after}`,
  );
  expect(rest.body.changes.edges).toMatchObject([
    { node: { block: { height: '2' }, partyProfiles: [{ partyId: 'alice', alias: 'Alice' }] } },
  ]);

  const { data } = await gateway.graphql(
    '{ party(id: "alice") { profile { partyId party { id } history { edges { block { height } node { alias } } } } } }',
  );
  expect(data.party.profile).toEqual({
    partyId: 'alice',
    party: { id: 'alice' },
    history: {
      edges: [
        { block: { height: '2' }, node: { alias: 'Alice' } },
        { block: { height: '1' }, node: { alias: 'Al' } },
      ],
    },
  });
});
