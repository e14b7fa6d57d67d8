import { expect, test } from 'vitest';
import { streamRoutes } from '../../src/rest/index.ts';
import type { StreamRoute } from '../../src/rest/stream-route.ts';
import { createEncoder } from '../../src/streaming/stream-messages.ts';

const [route] = streamRoutes as readonly [StreamRoute];
const other: StreamRoute = {
  ...route,
  path: '/other',
  toMessage: (data) => ({ ...route.toMessage(data), results: ['"of another stream"'] }),
};
const several: StreamRoute = {
  ...route,
  path: '/several',
  toMessage: (data) => ({ ...route.toMessage(data), results: ['1', '2'] }),
};
const none: StreamRoute = {
  ...route,
  path: '/none',
  toMessage: (data) => ({ ...route.toMessage(data), results: [] }),
};
const plain = { withCursors: false, withProgress: false };
const withCursors = { withCursors: true, withProgress: false };
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
      encode(route, result, 'line', plain),
      encode(route, result, 'line', withCursors),
      encode(route, result, 'event', plain),
      encode(route, result, 'frame', withCursors),
      encode(other, result, 'line', plain),
    ].map((bytes) => bytes.map(String).join('|'));
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

test('of several messages that are told at once the last has the cursor', () => {
  const encode = createEncoder();
  const result = { data, encode: () => Buffer.of(), stringify: () => '' };
  const block = '"block":{"height":"1","timestamp":"2"}';
  expect(encode(several, result, 'frame', plain).map(String)).toEqual(['{"result":1}', '{"result":2}']);
  expect(encode(several, result, 'frame', withCursors).map(String)).toEqual([
    `{"result":1,${block}}`,
    `{"result":2,${block},"cursor":"c"}`,
  ]);
  expect(encode(several, result, 'event', plain).map(String)).toEqual([
    'data: {"result":1}\n\n',
    'id: c\ndata: {"result":2}\n\n',
  ]);
});

test('what has no message says how far the stream has come to those who ask for that, and nothing to others', () => {
  const encode = createEncoder();
  const result = { data, encode: () => Buffer.of(), stringify: () => '' };
  expect(encode(none, result, 'line', withCursors)).toEqual([]);
  expect(encode(none, result, 'line', { ...plain, withProgress: true }).map(String)).toEqual([
    '{"reached":{"block":{"height":"1","timestamp":"2"},"cursor":"c"}}\n',
  ]);
});
