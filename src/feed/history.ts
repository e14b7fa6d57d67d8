import { findHistoryStart } from '../data/queries/blocks.ts';
import type { Statements } from '../data/servers/statements.ts';
import { GatewayError } from '../errors.ts';

/**
 * Throws OUT_OF_RANGE where the history no longer reaches back to a position. To be called after the reading that it
 * vouches for: history is trimmed while it is read.
 */
export async function checkHistory(
  statements: Statements,
  { isTrimmed }: { readonly isTrimmed: boolean },
  position: bigint,
): Promise<void> {
  if (isTrimmed && (await findHistoryStart(statements)) > position) throw forgotten();
}

export function forgotten(): GatewayError {
  return new GatewayError(
    'OUT_OF_RANGE',
    'The history of changes no longer reaches back to where this stream stands. Begin again without a cursor, with a new snapshot.',
  );
}
