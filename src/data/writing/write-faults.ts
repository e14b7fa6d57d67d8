import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { NEWEST_WRITES } from '../migrate.ts';
import { REFUSED } from './hold-ups.ts';

/** What the database refuses since a newer version has migrated it, while this one wrote to it. */
export function refusalOf(error: unknown): GatewayError | null {
  if ((error as Partial<pg.DatabaseError>).constraint !== NEWEST_WRITES) return null;
  return new GatewayError(
    'FAILED_PRECONDITION',
    'A newer version of Periscope has migrated the database: this version writes to it no more. Run the newer one.',
  );
}

/** Whether a failure lies in what one block holds (by the class of its SQLSTATE), so that others can be written. */
export function isOfOneBlock(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && code.length === 5 && DATA_FAULTS.has(code.slice(0, 2));
}

/** A failure of what is done beside the blocks: whatever the database says of it, it lies in none of them. */
export class UpkeepError extends Error {
  override name = 'UpkeepError';

  constructor(cause: Error) {
    super(`the upkeep of what was before failed, and no block is written without it: ${cause.message}`, {
      cause,
    });
  }
}

/** Why the database refuses what a block holds, for a person. */
export function describeFault(error: unknown): string {
  const { constraint, message } = error as pg.DatabaseError;
  if (constraint !== PARTY_POSITIONS) return `${REFUSED}${message}`;
  return 'it names more new parties than it has positions, of which each party has one to itself: its begin, its end, and its events';
}

/** The index by which no two parties have one position. */
const PARTY_POSITIONS = 'parties_created_position_key';

/** Cardinality violation, data exception, integrity constraint violation, program limit exceeded. */
const DATA_FAULTS = new Set(['21', '22', '23', '54']);
