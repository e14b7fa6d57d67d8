import type { Environment } from './environment.ts';

export interface Block {
  readonly height: string;
  /** In nanoseconds since 1970. */
  readonly timestamp: string;
}

/** What is told of one block, whole. */
export interface FollowedBlock<Rows> {
  /** The state at the block's end, what the block changed, or that nothing that is followed changed up to it. */
  readonly kind: 'snapshot' | 'changes' | 'reached';
  readonly block: Block;
  /** Whoever follows after it goes on from here, on any transport and gateway. */
  readonly cursor: string;
  /** By lists. Each row is whole, as it is at the block's end. */
  readonly rows: Rows;
  /** Whether all that was told before is void: it is a new snapshot, since the gateway has forgotten what came after the cursor. */
  readonly isReset: boolean;
}

/** The rows of each list. */
export type Rows = Readonly<Record<string, readonly unknown[]>>;

/** What is followed, and where. */
export interface Asked {
  /** The subscription as GraphQL, the field that its messages are in, and the types of what this takes. */
  readonly query: string;
  readonly field: string;
  readonly args: Readonly<Record<string, string>>;
  /** The lists of rows that its messages have, and what is asked of each row. */
  readonly lists: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly urls: readonly string[];
  readonly environment: Environment;
  readonly signal: AbortSignal | undefined;
}

/** A message of a subscription. */
export interface Message {
  readonly block: Block;
  readonly cursor: string;
  readonly snapshot?: (Rows & { readonly lastPage: boolean }) | null;
  readonly updates?: Rows | null;
}

/** How old a block is, in milliseconds. */
export function ageOf({ timestamp }: Block, { environment }: Pick<Asked, 'environment'>): number {
  return environment.now() - Number(BigInt(timestamp) / 1_000_000n);
}

/** A message of a series as others are: the first is the snapshot, each after it has the rows that may have changed. */
export function toMessage(
  { block, cursor, ...lists }: Message,
  isFirst: boolean,
  rowsOf: (told: Rows) => Rows = (told) => told,
): Message {
  const told = rowsOf(lists as unknown as Rows);
  if (isFirst) return { block, cursor, snapshot: { ...told, lastPage: true } as never };
  const isEmpty = Object.values(told).every((list) => list.length === 0);
  return { block, cursor, updates: isEmpty ? null : told };
}
