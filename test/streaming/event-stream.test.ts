import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { SharedResult } from '../../src/engine/run/subscribe.ts';
import type { Readable, Reader } from '../../src/readable.ts';
import { EventStream } from '../../src/streaming/event-stream.ts';
import { within } from '../support/message-queue.ts';

/** The results of a subscription, as a test says them. */
class Results implements Readable<SharedResult> {
  readonly #waiting: SharedResult[] = [];
  reader: Reader | null = null;
  isOver = false;

  push(number: number): void {
    this.#waiting.push({ data: { number } } as unknown as SharedResult);
    this.reader?.onReadable();
  }

  read = () => this.#waiting.shift() ?? null;

  async return(): Promise<void> {
    this.isOver = true;
    this.reader?.onReadable();
  }
}

/** More turns than a result takes from its coming to its being written. */
const MOST_TURNS = 40;

test('goes on with its other operations, whenever one is stopped', async () => {
  const stream = new EventStream({
    ...{ client: 'any', heartbeatMs: 60_000, stallMs: 60_000 },
    ...{ onEnd() {}, onStall() {}, onIdle() {}, onFault: () => expect.unreachable() },
  });
  await using server = createServer((_, response) => void stream.open(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { body } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const begin = async (id: string) => {
    const results = new Results();
    await stream.begin(
      id,
      async () => ({ kind: 'stream', results }),
      () => {},
    );
    return results;
  };
  const goesOn = await begin('goes on');
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const stopped = await begin(`stopped ${turns}`);
    stopped.push(turns);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    stream.stop(`stopped ${turns}`);
    goesOn.push(turns);
    const told = `{"id":"goes on","payload":{"data":{"number":${turns}}}}`;
    while (!text.includes(told)) {
      const { value } = await within(reader.read(), 'what goes on');
      text += new TextDecoder().decode(value);
    }
  }
  expect(text).toContain('{"id":"stopped ');
  stream.end();
});

test('stops what begins on it after its end', async () => {
  const stream = new EventStream({
    ...{ client: 'any', heartbeatMs: 60_000, stallMs: 60_000 },
    ...{ onEnd() {}, onStall() {}, onIdle() {}, onFault: () => expect.unreachable() },
  });
  stream.end();
  const results = new Results();
  await stream.begin(
    'late',
    async () => ({ kind: 'stream', results }),
    () => {},
  );
  expect([results.isOver, stream.isIdle]).toEqual([true, true]);
});
