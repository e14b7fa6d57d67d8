import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { buildSchema } from 'graphql';
import * as collecting from 'graphql/execution/collectFields.js';
import pg from 'pg';
import { expect, test } from 'vitest';
import { requireCollectors } from '../../src/engine/text/selections.ts';
import { requireExposedColumns } from '../../src/graphql/exposed-columns.ts';
import { schema } from '../../src/graphql/index.ts';
import { createTestDatabase } from '../support/database.ts';

test('what graphql-js merges selections with is there', () => {
  expect(requireCollectors(collecting).collectFields).toBe(collecting.collectFields);
});

test.each([
  ['is gone', {}],
  ['is there in part', { collectFields: collecting.collectFields }],
  [
    'takes other arguments',
    {
      ...collecting,
      collectFields: ((context: object) =>
        Object.keys(context)) as unknown as typeof collecting.collectFields,
    },
  ],
  ['finds nothing', { ...collecting, collectSubfields: () => new Map() }],
])('where it %s, the start says so', (_, found) => {
  expect(() => requireCollectors(found)).toThrow('src/engine/text/selections.ts');
});

test('Pothos says which columns the fields expose', () => {
  expect(requireExposedColumns(schema)).toBe(schema);
});

test('where it does not, the start says so', () => {
  expect(() => requireExposedColumns(buildSchema('type Query { a: Int }'))).toThrow(
    'src/graphql/exposed-columns.ts',
  );
});

test('the driver tells the named statements of a connection, and takes one that was made elsewhere', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query({ name: 'one', text: 'SELECT 1' });
    const { connection } = client as unknown as { readonly connection: Record<string, unknown> };
    expect(connection['parsedStatements']).toEqual({ one: 'SELECT 1' });
    expect(connection['submittedNamedStatements']).toBeTypeOf('object');
    for (const name of ['parse', 'bind', 'execute', 'sync'])
      expect(connection[name], name).toBeTypeOf('function');
  } finally {
    await client.end();
  }
});

test('Node keeps the head of a response where the writer of ready heads puts its own', async () => {
  const server = createServer((_, response: ServerResponse & { _header?: unknown }) => {
    const before = response._header;
    response.writeHead(200, ['A', 'b']);
    const written = response._header;
    response.end(JSON.stringify([before, written]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await answer.json()).toEqual([null, expect.stringMatching(/^HTTP\/1\.1 200 OK\r\nA: b\r\n/)]);
  } finally {
    server.close();
  }
});

test('Node counts what is left of one long write', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [near] = (await accepted) as [Socket & { _handle?: { writeQueueSize?: unknown } }];
  try {
    const length = 64e6;
    near.write(Buffer.alloc(length));
    const left = near._handle?.writeQueueSize;
    expect(left).toBeTypeOf('number');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(length);
  } finally {
    for (const end of [near, far]) end.destroy();
    server.close();
  }
});
