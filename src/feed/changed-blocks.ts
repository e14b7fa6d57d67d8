import { MOST_LOOKED_UP } from '../data/history/change-pages.ts';
import type { Positioned } from '../data/noun.ts';
import { findHistoryStart } from '../data/queries/blocks.ts';
import type { Statements } from '../data/servers/statements.ts';
import type { Updates } from './events.ts';
import { CHANGES_PAGE, catchUp, forgottenUpTo, type Read, type StreamSource } from './past.ts';

/** Which changes are wanted. */
export interface ChangesRequest {
  /** The cursor of a stream, or of a block; null begins with the first changes that are kept. */
  readonly after: string | null;
  /** The position of the last block that is read. */
  readonly upTo: bigint;
  /** About how many rows are wanted: no block begins after them. */
  readonly most: number;
  readonly statements: Statements;
}

/** The blocks that changed anything that is asked for, in order. */
export interface ChangedBlocks<Row> {
  readonly blocks: readonly Updates<Row>[];
  /** Everything up to here is told. */
  readonly reached: bigint;
  /** Whether more follows, or could: what little passes, or lies far apart, is not sought to the end of a long history at once. */
  readonly isMore: boolean;
}

/** After so many pages of a history, none of which need hold anything that passes, the rest is left to the next request. */
const MOST_PAGES = 30;
/** So many changes are read at once, however few are wanted: a block is read to its end. */
const FEWEST = 500;

/** Reads changes as streams do, as many as are wanted. */
export async function readChangedBlocks<R extends Positioned, Filter>(
  source: Pick<StreamSource<R, Filter>, 'hub' | 'filter'>,
  { from, upTo, most, statements }: Omit<ChangesRequest, 'after'> & { readonly from: bigint | null },
): Promise<ChangedBlocks<R>> {
  const start = from ?? (await findHistoryStart(statements));
  // As of a block before the first that is kept.
  if (from === null && start > upTo) throw await forgottenUpTo(statements, start);
  const blocks: Updates<R>[] = [];
  let rows = 0;
  let reached = start;
  let pages = 0;
  let lookedUp = 0;
  // The statements end by themselves when whoever asks is gone.
  const { signal } = new AbortController();
  const limit = Math.min(Math.max(most, FEWEST), CHANGES_PAGE);
  // Whoever polls was let in, with a place that others wait for: it waits neither behind streams nor for a database that is away.
  const read: Read = (reading) => reading(limit);
  for await (const event of catchUp({ ...source, statements, read }, start, upTo, signal)) {
    if (event.kind === 'progress') {
      pages += 1;
      if (rows < most) reached = event.position;
      lookedUp += event.lookedUp;
      if (pages === MOST_PAGES || lookedUp >= MOST_LOOKED_UP)
        return { blocks, reached, isMore: reached < upTo };
      continue;
    }
    if (rows >= most) return { blocks, reached, isMore: true };
    blocks.push(event);
    rows += event.rows.length;
    reached = event.position;
  }
  return { blocks, reached: upTo > start ? upTo : start, isMore: false };
}
