import { busEventTypes } from '../protocol.ts';
import { field, message, optional, text, uint32, uint64 } from '../wire.ts';

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

const envelope = message('BusEvent', {
  id: field(1, text),
  block: field(2, text),
  type: field(3, uint32),
  version: field(4, uint32),
  chainId: field(5, text),
  beginBlock: optional(148, message('BeginBlock', { height: field(1, uint64), hash: field(3, text) })),
  upgradeStarted: optional(150, message('ProtocolUpgradeStarted', { lastBlockHeight: field(1, uint64) })),
  dataNodeReady: optional(
    154,
    message('ProtocolUpgradeDataNodeReady', { lastBlockHeight: field(1, uint64) }),
  ),
});

/** Throws an Error when the bytes are no event of a network. */
export function readHead(bytes: Uint8Array): EventHead {
  const { id, type, version, chainId, beginBlock, upgradeStarted } = envelope.decode(bytes);
  if (version !== 1 || chainId === '') throw new Error('the message is no event of a network');
  return {
    chainId,
    id: readId(id),
    begins: beginBlock && { height: Number(beginBlock.height), hash: beginBlock.hash },
    endsBlock: type === busEventTypes.endBlock,
    upgradeAfter: upgradeStarted?.lastBlockHeight ?? null,
  };
}

/** What a core node waits for before it upgrades: that all events up to its last block have been taken in. */
export function encodeDataNodeReady(chainId: string, lastBlockHeight: bigint): Uint8Array {
  return envelope.encode({
    id: '',
    block: '',
    type: DATA_NODE_READY_TYPE,
    version: 1,
    chainId,
    beginBlock: null,
    upgradeStarted: null,
    dataNodeReady: { lastBlockHeight },
  });
}

function readId(id: string): EventHead['id'] {
  const [, height, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return height === undefined ? null : { height: Number(height), index: Number(index) };
}
