import { heightOf } from '../../domain/positions.ts';
import type { Block } from '../generated/prisma/client.ts';
import { PROGRESS_TABLE } from '../parts/progress-table.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, sql } from '../sql.ts';
import { TABLE_SIZES } from '../table-sizes.ts';
import { unkept } from '../templates.ts';
import type { HoldUp } from '../writing/hold-ups.ts';

/** How a database stands, as a gateway tells it to whoever asks for its health or its metrics. */
export interface Standing {
  /** The newest block that is wholly applied; null before the first. */
  readonly newest: Pick<Block, 'height' | 'timestamp'> | null;
  /** Why ingest cannot go on; null where it can, as far as anybody has noted. */
  readonly holdUp: HoldUp | null;
  /** How many events were passed over as damaged. */
  readonly skippedEvents: bigint;
  /** The first block whose changes are all kept: streams resume from there on. Null before the first. */
  readonly historyFrom: bigint | null;
  /** The heights of the first blocks whose rows are kept, by those tables of which rows were dropped. */
  readonly keptFromOf: Readonly<Record<string, bigint>>;
  /** Whether a base is being taken in, of which not all is there yet. */
  readonly takesBase: boolean;
}

/** Reads it with one statement. */
export async function readStanding(statements: Statements): Promise<Standing> {
  const [row] = await statements.rows<Row>(STANDING);
  if (row === undefined) throw new Error('one row is always there');
  const {
    newestHeight,
    timestamp,
    lastPosition,
    skippedEvents,
    historyFrom,
    keptFromOf,
    takesBase,
    reason,
    ...others
  } = row;
  if (lastPosition !== null) statements.saw(lastPosition);
  return {
    newest: newestHeight === null || timestamp === null ? null : { height: newestHeight, timestamp },
    holdUp: reason === null ? null : ({ ...others, reason } as HoldUp),
    skippedEvents: skippedEvents ?? 0n,
    historyFrom,
    takesBase,
    // Positions are below 2^53.
    keptFromOf: Object.fromEntries(
      Object.entries(keptFromOf ?? {}).map(([table, position]) => [table, heightOf(BigInt(position))]),
    ),
  };
}

/** How many bytes each table takes, its indexes included, by its name. */
export async function readTableBytes(statements: Statements): Promise<ReadonlyMap<string, number>> {
  const tables = await statements.rows<{ name: string; bytes: string }>(unkept(raw(TABLE_SIZES)));
  return new Map(tables.map(({ name, bytes }) => [name, Number(bytes)]));
}

type Row = { readonly [Column in keyof HoldUp]: HoldUp[Column] | null } & {
  readonly newestHeight: bigint | null;
  readonly timestamp: bigint | null;
  readonly lastPosition: bigint | null;
  readonly skippedEvents: bigint | null;
  readonly historyFrom: bigint | null;
  readonly keptFromOf: Readonly<Record<string, number>> | null;
  readonly takesBase: boolean;
};

const STANDING = unkept(sql`
  SELECT newest.height AS "newestHeight", newest.timestamp, newest.last_position AS "lastPosition",
    networks.skipped_events AS "skippedEvents", first.height AS "historyFrom", kept_from_of AS "keptFromOf", hold_ups.height, reason, place, kind, field, value,
    is_skippable AS "isSkippable", since, version, to_regclass('${raw(PROGRESS_TABLE)}') IS NOT NULL AS "takesBase"
  FROM (SELECT) AS always
  LEFT JOIN (SELECT height, timestamp, last_position FROM blocks ORDER BY blocks.height DESC LIMIT 1) AS newest ON TRUE
  LEFT JOIN networks ON TRUE
  LEFT JOIN LATERAL (
    SELECT height FROM blocks WHERE last_position > networks.history_from ORDER BY last_position LIMIT 1
  ) AS first ON TRUE
  LEFT JOIN hold_ups USING (chain_id)`);
