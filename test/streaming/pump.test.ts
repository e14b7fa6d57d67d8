import { expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { ReadableIterator, type Reader } from '../../src/readable.ts';
import { type ConnectionSink, pump, pumpUnlessStalled } from '../../src/streaming/pump.ts';

/** Results that come as they are asked for, and what was done with them. */
function openResults(count: number) {
  const seen = { asked: 0, returned: 0 };
  const results: AsyncIterator<number> = {
    async next() {
      if (seen.asked === count || seen.returned > 0) return { done: true, value: undefined };
      seen.asked += 1;
      return { done: false, value: seen.asked };
    },
    async return() {
      seen.returned += 1;
      return { done: true, value: undefined };
    },
  };
  return { results: new ReadableIterator(results), seen };
}

/** A sink with room for so many results at first. */
function openSink(write: (result: number) => void = () => {}, places = Number.POSITIVE_INFINITY) {
  const written: number[] = [];
  const ends: (GatewayError | null)[] = [];
  let stall = () => {};
  let waiting: Reader | null = null;
  let room = places;
  const sink: ConnectionSink<number> = {
    get hasRoom() {
      return room > 0;
    },
    whenRoom(reader) {
      waiting = reader;
    },
    write(result) {
      room -= 1;
      write(result);
      written.push(result);
    },
    end: (error) => void ends.push(error),
    watch(_, onStall) {
      stall = onStall;
    },
  };
  const makeRoom = () => {
    room += 1;
    waiting?.onReadable();
  };
  return { sink, written, ends, stall: () => stall(), makeRoom };
}

test('writes every result, and then the end', async () => {
  const { results } = openResults(3);
  const { sink, written, ends } = openSink();
  await pump(results, sink);
  expect([written, ends]).toEqual([[1, 2, 3], [null]]);
});

test('asks for no result before the sink has room for it', async () => {
  const { results, seen } = openResults(3);
  const { sink, makeRoom } = openSink(() => {}, 1);
  const pumped = pump(results, sink);
  for (let n = 1; n <= 3; n += 1) {
    await expect.poll(() => seen.asked).toBe(n);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.asked).toBe(n);
    makeRoom();
  }
  await pumped;
});

test('ends with the error that a result holds, and lets go of the others', async () => {
  const { results, seen } = openResults(3);
  const error = new GatewayError('OUT_OF_RANGE', 'Too far back.');
  const { sink, written, ends } = openSink((result) => {
    if (result === 2) throw error;
  });
  await pump(results, sink);
  expect([written, ends]).toEqual([[1], [error]]);
  expect(seen).toEqual({ asked: 2, returned: 1 });
});

test('says a fault of the sink to its caller, and not to the client', async () => {
  const { results } = openResults(1);
  const fault = new Error('a secret');
  const { sink, ends } = openSink(() => {
    throw fault;
  });
  await expect(pump(results, sink)).rejects.toBe(fault);
  expect(ends).toEqual([]);
});

test('ends a stream that is not read, with the reason', async () => {
  const { results, seen } = openResults(3);
  const { sink, ends, stall, makeRoom } = openSink(() => {}, 1);
  const pumped = pumpUnlessStalled(results, sink, 30_000);
  await expect.poll(() => seen.asked).toBe(1);
  stall();
  expect(ends).toMatchObject([
    { code: 'RESOURCE_EXHAUSTED', message: expect.stringContaining('30 seconds') },
  ]);
  expect(seen.returned).toBe(1);
  makeRoom();
  await pumped;
  expect(seen.asked).toBe(1);
});
