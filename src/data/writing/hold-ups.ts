import type { ClientBase, QueryConfig } from 'pg';
import { shorten } from '../../domain/text.ts';
import { encodeIntegers, encodeTexts } from './binary-arrays.ts';

/** What hinders ingest, and where: an event that cannot be taken, or what a source lacks. */
export interface Hindrance {
  /** The block that cannot be applied; null where that is not known. */
  readonly height: bigint | null;
  /** Names the event, the field and the value, where it is one that cannot be taken. */
  readonly reason: string;
  /** The source, and where in it: not for those who only ask a gateway, since it names files of the machine. */
  readonly place: string;
  /** The kind of event that cannot be taken; null where it is none. */
  readonly kind: string | null;
  readonly field: string | null;
  readonly value: string | null;
  /** Whether the event may be passed over (`--skip-damaged`). */
  readonly isSkippable: boolean;
}

/** A hindrance that the database holds, from when ingest could not go on until it does. */
export interface HoldUp extends Hindrance {
  /** Nanoseconds since the epoch. */
  readonly since: bigint;
  /** The version of Periscope that could not go on last. */
  readonly version: string;
}

/** An event that was passed over, with the place that it took. */
export interface SkippedEvent {
  readonly position: bigint;
  readonly kind: string;
  readonly reason: string;
}

/** Of those that were passed over, so many are kept by their positions, the newest; all are counted. */
const MOST_SKIPPED = 1_000;

const NEWER = 'A newer Periscope that understands it goes on from there by itself, and loses nothing';
const SKIP =
  '--skip-damaged passes over such events: that change is lost, and what builds on it may be wrong until the same thing changes again';
const WHOLE = 'It goes on by itself once a source has that block, whole and in its order';
/** How the reason begins where it is the database that does not take a block. */
export const REFUSED = 'the database refuses what it holds: ';
const SEE_TO_IT =
  'What the database refuses is to be seen to there; then a socket or a log goes on by itself within 30 seconds, and a file when it is ingested again';

/** As in `held up at block 12: event market updated (type 26): …`. */
export function describeHindrance({ height, reason }: Pick<Hindrance, 'height' | 'reason'>): string {
  return `held up ${height === null ? 'before its first block' : `at block ${height}`}: ${reason}`;
}

/** What whoever runs it can do, in sentences. */
export function describeRemedies({
  kind,
  isSkippable,
  reason,
}: Pick<Hindrance, 'kind' | 'isSkippable' | 'reason'>): string {
  if (kind === null) return `${reason.startsWith(REFUSED) ? SEE_TO_IT : WHOLE}.`;
  return isSkippable ? `${NEWER}; or ${SKIP}.` : `${NEWER}.`;
}

/** The columns of a hold-up, as a row has them whose integers are text. */
const HOLD_UP_COLUMNS = `hold_ups.height::text, reason, place, kind, field, value,
  is_skippable AS "isSkippable", since::text, version`;

interface HoldUpRow extends Omit<HoldUp, 'height' | 'since'> {
  readonly height: string | null;
  readonly since: string;
}

function holdUpOf({ height, since, ...row }: HoldUpRow): HoldUp {
  return { ...row, height: height === null ? null : BigInt(height), since: BigInt(since) };
}

/** What the network of the database is held up by; null where it is not. */
export async function readHoldUp(client: ClientBase): Promise<HoldUp | null> {
  const { rows } = await client.query<HoldUpRow>(
    `SELECT ${HOLD_UP_COLUMNS} FROM hold_ups JOIN networks USING (chain_id)`,
  );
  return rows[0] ? holdUpOf(rows[0]) : null;
}

/** Notes what hinders ingest, in a transaction of its own. At the same block, it does since it did first. */
export async function writeHoldUp(
  client: ClientBase,
  hindrance: Hindrance,
  version: string,
): Promise<HoldUp> {
  const { height, reason, place, kind, field, value, isSkippable } = hindrance;
  const texts = [reason, place, kind, field, value && shorten(value)].map((text) => text && writable(text));
  const since = BigInt(Date.now()) * 1_000_000n;
  const { rows } = await client.query<HoldUpRow>(
    `INSERT INTO hold_ups (chain_id, height, reason, place, kind, field, value, is_skippable, since, version)
     SELECT chain_id, $1::bigint, $2, $3, $4, $5, $6, $7, $8::bigint, $9 FROM networks LIMIT 1
     ON CONFLICT (chain_id) DO UPDATE SET
       (height, reason, place, kind, field, value, is_skippable, version) = (excluded.height, excluded.reason,
         excluded.place, excluded.kind, excluded.field, excluded.value, excluded.is_skippable, excluded.version),
       since = CASE WHEN hold_ups.height IS NOT DISTINCT FROM excluded.height
         THEN hold_ups.since ELSE excluded.since END
     RETURNING ${HOLD_UP_COLUMNS}`,
    [height === null ? null : `${height}`, ...texts, isSkippable, `${since}`, version],
  );
  return rows[0] ? holdUpOf(rows[0]) : { ...hindrance, since, version };
}

/** Ends a hold-up, within the transaction of the block that ingest goes on with. */
export const END_HOLD_UP: QueryConfig = { name: 'end hold-up', text: 'DELETE FROM hold_ups' };

/** The statements that note which events were passed over, within the transaction of their blocks. */
export function skippedStatements(skipped: readonly SkippedEvent[]): readonly QueryConfig[] {
  if (skipped.length === 0) return [];
  const kept = skipped.slice(-MOST_SKIPPED);
  return [
    {
      text: 'UPDATE networks SET skipped_events = skipped_events + $1::bigint',
      values: [skipped.length],
    },
    {
      text: `INSERT INTO skipped_events (position, kind, reason)
        SELECT unnest($1::bigint[]), unnest($2::text[]), unnest($3::text[])`,
      values: [
        encodeIntegers(kept.map(({ position }) => position)),
        encodeTexts(kept.map(({ kind }) => writable(kind))),
        encodeTexts(kept.map(({ reason }) => writable(reason))),
      ],
    },
    {
      text: `DELETE FROM skipped_events WHERE position <= (
        SELECT position FROM skipped_events ORDER BY position DESC OFFSET ${MOST_SKIPPED} LIMIT 1)`,
    },
  ];
}

/** PostgreSQL holds no U+0000 in text. */
function writable(text: string): string {
  return text.replaceAll('\0', '\\0');
}
