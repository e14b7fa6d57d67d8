import type { Positioned } from '../data/noun.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import type { Statements } from '../data/servers/statements.ts';
import type { StreamCursor } from '../domain/cursors.ts';
import type { BlockFeed } from './block-feed.ts';
import type { Hub } from './hub.ts';

export interface StreamSource<R extends Positioned, Filter> {
  readonly statements: Statements;
  readonly feed: BlockFeed;
  readonly hub: Hub<R, Filter>;
  readonly filter: Filter;
  /** From where to go on; null starts with a snapshot. */
  readonly after: StreamCursor | null;
  /** Shared by all streams, so that many at once leave connections to everybody else. */
  readonly reads: Semaphore;
}
