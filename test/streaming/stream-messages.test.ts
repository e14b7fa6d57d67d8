import { expect, test } from 'vitest';
import { streamRoutes } from '../../src/rest/index.ts';
import type { StreamRoute } from '../../src/rest/stream-route.ts';
import { createEncoder } from '../../src/streaming/stream-messages.ts';

const [route] = streamRoutes as readonly [StreamRoute];
const other: StreamRoute = {
  ...route,
  path: '/other',
  toMessage: (data) => ({ ...route.toMessage(data), result: '"of another stream"' }),
};
const data = {
  accounts: {
    snapshot: null,
    updates: { accounts: [] },
    block: { height: '1', timestamp: '2' },
    cursor: 'c',
  },
};

test('a message is encoded once for each stream, wrapping and shape', () => {
  const counters = { encodings: 0 };
  const encode = createEncoder(counters);
  const result = { data, encode: () => Buffer.of(), stringify: () => '' };
  const encodeAll = () =>
    [
      encode(route, result, 'line', false),
      encode(route, result, 'line', true),
      encode(route, result, 'event', false),
      encode(route, result, 'frame', true),
      encode(other, result, 'line', false),
    ].map(String);
  const expected = [
    '{"result":{"updates":{"accounts":[]}}}\n',
    '{"result":{"updates":{"accounts":[]}},"block":{"height":"1","timestamp":"2"},"cursor":"c"}\n',
    'id: c\ndata: {"result":{"updates":{"accounts":[]}}}\n\n',
    '{"result":{"updates":{"accounts":[]}},"block":{"height":"1","timestamp":"2"},"cursor":"c"}',
    '{"result":"of another stream"}\n',
  ];
  expect([encodeAll(), encodeAll()]).toEqual([expected, expected]);
  expect(counters.encodings).toBe(5);
});
