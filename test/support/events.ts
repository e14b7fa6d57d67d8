import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { nounNames } from '../../src/data/nouns/index.ts';
import type { BlockChanges } from '../../src/data/writing/block-changes.ts';
import { accountTypes, assetStatuses } from '../../src/domain/enumerations.ts';
import { eventTypes } from '../../src/ingest/decode.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { frameRecord } from '../../src/ingest/frames.ts';
import { BusEventSchema } from '../../src/ingest/protocol/generated/bus-event_pb.ts';
import type { PayloadName } from '../../src/ingest/protocol/payloads.ts';

export const CHAIN = 'test-chain';

const recordedPath = fileURLToPath(new URL('../../../shared/data/recorded-network.evt.gz', import.meta.url));

/** The recorded network, which its licence keeps out of the project; null, and said so, where it is not there. */
export const recordedNetwork: string | null = existsSync(recordedPath) ? recordedPath : null;
if (recordedNetwork === null)
  console.warn('Not there: ../shared/data/recorded-network.evt.gz. Its tests are skipped.');

/** What an event of the network is made from; what is left out has the default of the protocol. */
export type SentEvent = MessageInitShape<typeof BusEventSchema>;
export type SentPayload = Extract<SentEvent['event'], { readonly case: PayloadName }>;

/** The bytes of an event with the envelope that is given. */
export function encodeBusEvent(event: SentEvent): Uint8Array {
  return toBinary(BusEventSchema, create(BusEventSchema, event));
}

/** The bytes of one event as a core node sends it. */
export function encodeEvent(event: SentPayload, chainId = CHAIN): Uint8Array {
  const type = eventTypes[event.case];
  return encodeBusEvent({ id: '1-1', block: 'AB', type, version: 1, chainId, txHash: 'AB', event });
}

/** The bytes of an event of a kind that is not kept. */
export function encodeOther(chainId = CHAIN): Uint8Array {
  return encodeBusEvent({
    id: '1-1',
    block: 'AB',
    type: 19,
    version: 1,
    chainId,
    txHash: 'AB',
  });
}

export function beginBlock(height: number, hash = `hash-${height}`): SentPayload {
  return {
    case: 'beginBlock',
    value: { height: BigInt(height), timestamp: BigInt(height) * 1_000_000_000n, hash },
  };
}

export function endBlock(height: number): SentPayload {
  return { case: 'endBlock', value: { height: BigInt(height) } };
}

/** A recording of whole blocks, each of which a few accounts change in. */
export function encodeBlocks(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => [
    encodeEvent(beginBlock(index + 1)),
    encodeOther(),
    ...Array.from({ length: index % 4 }, (_, n) => encodeEvent(accountOf(`party-${n}`, `${index * 1000}`))),
    encodeEvent(endBlock(index + 1)),
  ]).flat();
}

export function accountOf(owner: string, balance: string): SentPayload {
  return {
    case: 'account',
    value: {
      id: '',
      owner,
      balance,
      asset: 'gold',
      marketId: '!',
      type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
    },
  };
}

/** A file of events; `sequenced` as newer releases write it. */
export function recordingOf(payloads: readonly Uint8Array[], sequenced = true): Buffer {
  return Buffer.concat(
    payloads.map((payload, index) => frameRecord(payload, sequenced ? BigInt(index) : undefined)),
  );
}

/** A source of these events, as if they stood on lines of their own. */
export function sourceOf(events: readonly NetworkEvent[]): EventSource {
  return {
    chainId: CHAIN,
    name: 'events',
    progress: () => ({ done: 0, total: null, unit: 'blocks' }),
    async *events(signal) {
      for (const [index, event] of events.entries()) {
        signal.throwIfAborted();
        yield { event, at: `line ${index + 1}` };
      }
    },
  };
}

/** Everything that comes before the end, and the error that ended it, if one did. */
export async function collect<T>(items: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const collected: T[] = [];
  try {
    for await (const item of items) collected.push(item);
    return { items: collected, error: null };
  } catch (error) {
    return { items: collected, error };
  }
}

/** A folder for a test's files, removed when it is disposed of. */
export async function createFolder(): Promise<
  AsyncDisposable & { write: (bytes: Uint8Array | string) => Promise<string> }
> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-'));
  let count = 0;
  return {
    async write(bytes) {
      count += 1;
      const path = join(folder, `file-${count}`);
      await writeFile(path, bytes);
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** An asset as its table keeps it. */
export const GOLD = {
  id: 'gold',
  name: '',
  symbol: '',
  decimals: 5,
  quantum: '1',
  status: assetStatuses.numbers.STATUS_ENABLED,
  maxFaucetAmount: null,
  contractAddress: null,
  lifetimeLimit: null,
  withdrawThreshold: null,
  chainId: null,
} as const;

/** What a market has that is a future of release 0.71: nothing of what came later. */
export const PLAIN_FUTURE = {
  openingAuction: null,
  priceMonitoringTriggers: null,
  liquidityMonitoring: null,
  logNormalRiskModel: null,
  simpleRiskModel: null,
  product: 'FUTURE',
  baseAssetId: null,
  quoteAssetId: null,
  quoteName: null,
  cap: null,
  funding: null,
  internalCompositePrice: null,
  tickSize: null,
  treasuryFee: null,
  buyBackFee: null,
  liquidityFeeSettings: null,
  fullyCollateralised: null,
  riskFactorOverride: null,
  liquiditySla: null,
  liquidationStrategy: null,
  markPriceConfiguration: null,
  enableTransactionReordering: false,
  allowedEmptyAmmLevels: '0',
  allowedSellers: [],
  parentMarketId: null,
  insurancePoolFraction: null,
} as const;

/** What a block changes, where it is no more than this. */
export function changes(some: Partial<BlockChanges>): BlockChanges {
  const none = Object.fromEntries(nounNames.map((name) => [name, []])) as unknown as BlockChanges;
  return { ...none, ...some };
}
