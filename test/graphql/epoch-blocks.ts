import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import { encodeEvent, type SentPayload, sourceOf } from '../support/events.ts';

/** What the network tells of an epoch. */
export const [STARTS, ENDS] = [1, 2];

/** Writes blocks of events, from height 1 on, a second after one another. */
export async function writeBlocks(url: string, blocks: readonly (readonly SentPayload[])[]): Promise<void> {
  await using writer = await Writer.open(url);
  for (const [index, sent] of blocks.entries()) {
    const height = index + 1;
    const begin = { height, timestamp: BigInt(height) * 1_000_000_000n, hash: `hash-${height}` };
    const events = sent.map((payload) => decodeEvent(encodeEvent(payload)).event);
    const source = sourceOf([{ type: 'beginBlock', ...begin }, ...events, { type: 'endBlock', height }]);
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  }
}

export function epoch(seq: bigint, action: number): SentPayload {
  const endTime = action === ENDS ? seq * 10n + 9n : 0n;
  return {
    case: 'epochEvent',
    value: { seq, action, startTime: seq * 10n, expireTime: seq * 10n + 8n, endTime },
  };
}

export function reward(seq: bigint, asset = 'gold', amount = '7'): SentPayload {
  return {
    case: 'rewardPayout',
    value: {
      ...{ party: 'alice', asset, epochSeq: `${seq}`, amount },
      ...{ percentOfTotalReward: '1', timestamp: 1n, rewardType: 'x' },
    },
  };
}
