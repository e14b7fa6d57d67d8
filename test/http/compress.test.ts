import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BIG, getRaw, mount, serve } from './serve.ts';

describe('compression', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is by %s where the client takes it', async (encoding, decompress) => {
    const { port } = await serve({ mount });
    const { headers, body } = await getRaw(port, '/big', { 'Accept-Encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept, Accept-Encoding, X-Min-Block-Height, Prefer');
    expect(body.length).toBeLessThan(5000);
    expect(JSON.parse(decompress(body).toString())).toEqual(BIG);
  });

  test('leaves small answers and clients that want none alone, and still varies', async () => {
    const { port } = await serve({ mount });
    const small = await getRaw(port, '/small', { 'Accept-Encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
    const plain = await getRaw(port, '/big', {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBe('Accept, Accept-Encoding, X-Min-Block-Height, Prefer');
    expect(JSON.parse(plain.body.toString())).toEqual(BIG);
  });

  test('is not by a list of thousands of codings, which takes long to read', async () => {
    const { port } = await serve({ mount });
    const { headers } = await getRaw(port, '/big', { 'Accept-Encoding': `gzip${',a'.repeat(5_000)}` });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test.each(['text/event-stream', 'application/x-ndjson', 'application/json'])(
    'delivers each write to a %s stream at once',
    async (type) => {
      let finish = () => {};
      const { get } = await serve({
        mount: (app) =>
          app.get('/stream', (_request, response) => {
            response.setHeader('Content-Type', type);
            response.write('first\n');
            finish = () => response.end('last\n');
          }),
      });
      const answer = await get('/stream', { headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\n');
      finish();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('last\n');
      expect((await reader.read()).done).toBe(true);
    },
  );
});

test.each(['gzip', 'br', 'identity'])(
  'a reader who stops reading stops a %s stream, too',
  async (encoding) => {
    const chunk = randomBytes(65536);
    let produced = 0;
    let ended = false;
    async function* endless() {
      try {
        for (; ; produced += chunk.length) yield chunk;
      } finally {
        ended = true;
      }
    }
    const { port } = await serve({
      mount: (app) =>
        app.get('/endless', async (_request, response) => {
          response.setHeader('Content-Type', 'application/x-ndjson');
          await pipeline(Readable.from(endless(), { objectMode: false }), response).catch(() => {});
        }),
    });
    const socket = connect(port, '127.0.0.1').pause();
    socket.write(`GET /endless HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
    // What the operating system buffers is some megabytes; then nothing more may be asked for.
    let before = -1;
    const stands = () => {
      const unchanged = produced > 0 && produced === before;
      before = produced;
      return unchanged;
    };
    await expect.poll(stands, { interval: 300 }).toBe(true);
    expect(produced).toBeLessThan(32 * 2 ** 20);
    expect(ended).toBe(false);
    socket.destroy();
    await expect.poll(() => ended).toBe(true);
  },
);
