import { heightOf, positionsOf } from '../../domain/positions.ts';
import { IngestError } from '../events.ts';
import type { BlockLog, FoundChunk } from './block-log.ts';

/** Where the reading of a log begins for a database. */
export interface LogStart {
  /** The number of the first message to be read. */
  readonly sequence: number;
  /** What it holds. */
  readonly chunk: FoundChunk;
}

/**
 * Finds where to begin behind the newest block of a database: with that block itself, where the log still has it, so that it is
 * seen to be the same; null while the log has nothing that new. Throws an IngestError where the log begins too late.
 */
export async function findStart(log: BlockLog, newest: bigint | null): Promise<LogStart | null> {
  const { first_seq: first, last_seq: last } = await log.state();
  const wanted = newest === null ? 0n : positionsOf(newest).first;
  const chunk = await searchChunk(log, wanted, first, last + 1);
  if (chunk === null) return null;
  if (first > 1) checkReach(log, newest, heightOf(chunk.head.first));
  return { sequence: chunk.sequence, chunk };
}

/** The first chunk of a block that ends at a position or behind it, by halves: positions only rise. */
async function searchChunk(
  log: BlockLog,
  position: bigint,
  from: number,
  to: number,
): Promise<FoundChunk | null> {
  let found: FoundChunk | null = null;
  for (let [low, high] = [from, to]; low < high; ) {
    const middle = low + Math.floor((high - low) / 2);
    const chunk = await log.findChunk(middle, high);
    if (chunk === null) {
      high = middle;
    } else if (chunk.head.last < position) {
      low = chunk.sequence + 1;
    } else {
      found = chunk;
      high = middle;
    }
  }
  return found;
}

function checkReach(log: BlockLog, newest: bigint | null, begin: bigint): void {
  if (newest !== null && begin <= newest + 1n) return;
  const has = `the ${log.name} begins with block ${begin}: what was before has passed its retention`;
  const advice =
    'take the blocks in from elsewhere first, as from a recorded file or a copy of a newer database';
  if (newest === null) throw new IngestError(`The database is empty, and ${has}. To begin there, ${advice}`);
  const missing =
    newest + 2n === begin ? `block ${newest + 1n} is` : `blocks ${newest + 1n} to ${begin - 1n} are`;
  throw new IngestError(
    `The database ends with block ${newest}, and ${has}, so that ${missing} missing. To go on, ${advice}; --max-age and --max-bytes of the relay say how much the log keeps`,
  );
}
