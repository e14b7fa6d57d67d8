import { create, toBinary } from '@bufbuild/protobuf';
import { eventTypes } from '../decode.ts';
import { BusEventSchema } from '../protocol/generated/event-head_pb.ts';
import { strictReader } from '../protocol/strict.ts';

/** What is read of an event before it is spooled: whose it is and where it stands. All else stays unread. */
export interface EventHead {
  readonly chainId: string;
  /** Where the event says that it stands: `<height>-<index>` on the wire, the index from 1. Null without. */
  readonly id: { readonly height: number; readonly index: number } | null;
  readonly begins: { readonly height: number; readonly hash: string } | null;
  readonly endsBlock: boolean;
  /** The last block before a protocol upgrade, when the event announces that the upgrade starts. */
  readonly upgradeAfter: bigint | null;
}

const DATA_NODE_READY_TYPE = 55;

const readEnvelope = strictReader(BusEventSchema);

/** Throws an Error when the bytes are no event of a network. */
export function readHead(bytes: Uint8Array): EventHead {
  const { id, type, version, chainId, beginBlock, upgradeStarted } = readEnvelope(bytes).message;
  if (version !== 1 || chainId === '') throw new Error('the message is no event of a network');
  return {
    chainId,
    id: readId(id),
    begins: beginBlock ? { height: Number(beginBlock.height), hash: beginBlock.hash } : null,
    endsBlock: type === eventTypes.endBlock,
    upgradeAfter: upgradeStarted?.lastBlockHeight ?? null,
  };
}

/** What a core node waits for before it upgrades: that all events up to its last block have been taken in. */
export function encodeDataNodeReady(chainId: string, lastBlockHeight: bigint): Uint8Array {
  return toBinary(
    BusEventSchema,
    create(BusEventSchema, {
      type: DATA_NODE_READY_TYPE,
      version: 1,
      chainId,
      dataNodeReady: { lastBlockHeight },
    }),
  );
}

function readId(id: string): EventHead['id'] {
  const [, height, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return height === undefined ? null : { height: Number(height), index: Number(index) };
}
