import type { NounName, NounRow } from '../data/nouns/index.ts';
import type {
  AutomatedPurchase,
  CompositePriceState,
  LiquidityProviderFeeShare,
  LiquidityProviderSla,
  PriceMonitoringBounds,
  ProductData,
} from '../data/nouns/market-data.ts';
import type { MarketObjects } from '../data/nouns/markets.ts';
import type { PartyMetadata } from '../data/nouns/party-profiles.ts';
import type { BatchProposalTerms, ProposalTerms } from '../data/nouns/proposals.ts';
import type { EquityLikeShare } from '../data/nouns/votes.ts';
import type { Hindrance } from '../data/writing/hold-ups.ts';
import type { EventFault } from './event-faults.ts';

/**
 * What every event source yields: the network's events in their order, in our own terms.
 *
 * Quantities, prices and factors are canonical decimal text (`domain/decimals.ts`), never empty; times are
 * nanoseconds since the epoch; ids are lower-case hexadecimal as the network sent them; the built-in party `*`
 * is already `network`, the market `!` (none) already the empty text.
 */
export type NetworkEvent =
  | {
      readonly type: 'beginBlock';
      readonly height: number;
      readonly timestamp: bigint;
      readonly hash: string;
    }
  /** The height is 0 in recordings of older releases, which do not say which block ends. */
  | { readonly type: 'endBlock'; readonly height: number }
  | KeptEvent
  /** One event that tells of many things. It takes one place in its block's order, and they share it. */
  | { readonly type: 'several'; readonly events: readonly KeptEvent[] }
  /** The network stops after its latest block, to go on with a new release. Comes between two blocks. */
  | { readonly type: 'upgradeStarted' }
  /** An event of a kind that the gateway does not keep, by the kind's number. It still takes a place in its block's order. */
  | { readonly type: 'other'; readonly kind: number }
  /** An event that cannot be taken and is passed over, because that was asked for. It takes its place as well. */
  | { readonly type: 'skipped'; readonly kind: string; readonly reason: string };

/** An event that changes what the gateway holds: the noun, and the row that it becomes. */
export type KeptEvent = {
  readonly [Name in NounName]: { readonly type: Name; readonly row: EventRow<Name> };
}[NounName];

/** A row as an event gives it: where it stands in the network's life follows from the event's place. */
export type EventRow<Name extends NounName> = ReadonlyRow<
  Omit<
    NounRow<Name>,
    'createdPosition' | 'updatedPosition' | 'updatedTimestamp' | keyof JsonColumnsOf<Name>
  > &
    JsonColumnsOf<Name>
>;

type ReadonlyRow<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends readonly (infer Item)[] ? readonly Item[] : Row[Field];
};

type JsonColumnsOf<Name extends NounName> = Name extends keyof JsonColumns ? JsonColumns[Name] : unknown;

/** What the JSON columns hold, of which Prisma knows no more than that. */
interface JsonColumns {
  readonly market: MarketObjects;
  readonly partyProfile: { readonly metadata: readonly PartyMetadata[] };
  readonly marketData: {
    readonly priceMonitoringBounds: readonly PriceMonitoringBounds[];
    readonly liquidityProviderFeeShare: readonly LiquidityProviderFeeShare[];
    readonly productData: ProductData | null;
    readonly liquidityProviderSla: readonly LiquidityProviderSla[] | null;
    readonly markPriceState: CompositePriceState | null;
    readonly activeProtocolAutomatedPurchase: AutomatedPurchase | null;
  };
  readonly proposal: {
    readonly terms: ProposalTerms | null;
    readonly batchTerms: BatchProposalTerms | null;
  };
  readonly vote: {
    readonly elsPerMarket: readonly EquityLikeShare[] | null;
  };
}

/**
 * Where blocks come from. Iterating yields each event with where it stands (`at`: a byte offset, a line, …,
 * for error messages); it ends with the source, and throws an IngestError when the source is damaged, so that
 * everything before the damage has been yielded already.
 */
export interface EventSource {
  /** The network that the events are of, for example `testnet-001`. */
  readonly chainId: string;
  /** What a progress line and an error call the source: a path, `standard input`, `simulated network`. */
  readonly name: string;
  /** Set where one line stands for the begin and the end of a block, so that they are not counted as events. */
  readonly boundariesImplied?: true;
  /** Set where asking for more says that all blocks so far are in the database, so that none is read ahead. */
  readonly needsAllApplied?: true;
  /** Throws the signal's reason once it is aborted. A source that cannot start over gives its events once. */
  events(signal: AbortSignal): AsyncIterable<SourceEvent>;
  /** How far the reading has come, in units of its own; `total` is null where the end is not known. */
  progress(): { readonly done: number; readonly total: number | null; readonly unit: 'bytes' | 'blocks' };
}

export interface SourceEvent {
  readonly event: NetworkEvent;
  /** The fields of the event's message that no known release has, as `Market.25`; none where it is left out. */
  readonly unknownFields?: readonly string[] | undefined;
  /** Where the event begins, as an error would say it: `byte 1042`, `line 12`, `block 7`. */
  readonly at: string;
}

/** A source that cannot be read on. The message is for a person and says where. */
export class IngestError extends Error {
  override name = 'IngestError';
}

/** What is wrong with what a source holds, apart from the words. */
export interface SourceFault {
  /** The source, and where in it: `events.evt, byte 1042`. */
  readonly place: string;
  /** The block that is not whole for it; null where no block has begun. */
  readonly height: number | null;
  readonly reason: string;
  /** The event that cannot be taken; null where it is the framing, or the order of blocks. */
  readonly event: EventFault | null;
}

/** A source that holds what cannot be taken, so that the block in hand, and all after it, cannot be applied. */
export class FaultError extends IngestError {
  override name = 'FaultError';
  readonly fault: SourceFault;

  constructor(fault: SourceFault, options?: ErrorOptions) {
    const { place, height, reason, event } = fault;
    const title = event?.title ?? null;
    const block = height === null ? '' : `block ${height}, `;
    super(`${place}: ${title === null ? '' : `${block}${title}: `}${reason}`, options);
    this.fault = fault;
  }

  /** The same, with the block for whoever has not named it. */
  inBlock(height: number | null): FaultError {
    if (this.fault.height !== null || height === null) return this;
    return new FaultError({ ...this.fault, height }, { cause: this.cause });
  }
}

/** A block that the database refuses for what it holds. Whoever runs the database may see to it, so that it is tried again. */
export class RefusedBlockError extends FaultError {
  override name = 'RefusedBlockError';
}

/** What hinders an ingest that has come to a block, apart from the words: of an error that a source or its blocks threw. */
export function hindranceOf(error: IngestError, lastBlock: { readonly height: bigint } | null): Hindrance {
  const next = lastBlock === null ? null : lastBlock.height + 1n;
  if (!(error instanceof FaultError)) {
    return { ...NO_EVENT, height: next, reason: error.message, place: '' };
  }
  const { place, height, reason, event } = error.fault;
  const title = event?.title ?? null;
  return {
    height: height === null ? next : BigInt(height),
    reason: title === null ? reason : `${title}: ${reason}`,
    place,
    kind: event?.kind ?? null,
    field: event?.field ?? null,
    value: event?.value ?? null,
    isSkippable: event?.isContained ?? false,
  };
}

const NO_EVENT = { kind: null, field: null, value: null, isSkippable: false } as const;
