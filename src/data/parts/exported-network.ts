import type pg from 'pg';
import { max } from '../../domain/bigints.ts';
import { heightOf } from '../../domain/positions.ts';
import { GatewayError } from '../../errors.ts';
import { knownFrom } from '../history/retention.ts';
import { readAppliedMigrations } from '../migrate.ts';
import type { Manifest, PositionsOf } from './manifest.ts';
import { VERSIONED_TABLES } from './tables.ts';

/** What a database says of itself, in the snapshot that is read. */
export interface NetworkFacts {
  readonly chain: string;
  readonly schema: string;
  readonly first: bigint;
  readonly newest: { readonly height: bigint; readonly position: bigint; readonly digest: string | null };
  readonly pastFrom: bigint;
  readonly skippedEvents: bigint;
  readonly archivedTo: bigint;
  readonly keptFromOf: PositionsOf;
  readonly summedFromOf: PositionsOf;
}

/** Throws FAILED_PRECONDITION where there are no blocks. */
export async function readNetwork(client: pg.Client): Promise<NetworkFacts> {
  const schema = (await readAppliedMigrations(client)).at(-1)?.name;
  const { rows } =
    schema === undefined
      ? { rows: [] }
      : await client.query<
          Record<'chain' | 'height' | 'position' | 'first' | 'past' | 'skipped' | 'archived', string> & {
            readonly digest: string | null;
            readonly kept: Readonly<Record<string, number>>;
            readonly summed: Readonly<Record<string, number>>;
          }
        >(`
    SELECT chain_id AS chain, height, last_position AS position, digest, skipped_events AS skipped, archived_to AS archived,
      kept_from_of AS kept, summed_from_of AS summed,
      (SELECT min(height) FROM blocks) AS first, least(${knownFrom(VERSIONED_TABLES.map(({ table }) => table))}, history_from) AS past
    FROM networks CROSS JOIN (SELECT * FROM blocks ORDER BY height DESC LIMIT 1) AS newest`);
  const [row] = rows;
  if (row === undefined || schema === undefined)
    throw new GatewayError(
      'FAILED_PRECONDITION',
      'The database holds no blocks yet: there is nothing to export.',
    );
  return {
    chain: row.chain,
    schema,
    first: BigInt(row.first),
    newest: { height: BigInt(row.height), position: BigInt(row.position), digest: row.digest },
    pastFrom: BigInt(row.past),
    skippedEvents: BigInt(row.skipped),
    archivedTo: BigInt(row.archived),
    keptFromOf: toPositions(row.kept),
    summedFromOf: toPositions(row.summed),
  };
}

/** Positions are below 2^53. */
function toPositions(numbers: Readonly<Record<string, number>>): PositionsOf {
  return Object.fromEntries(Object.entries(numbers).map(([table, position]) => [table, BigInt(position)]));
}

/**
 * What of a manifest is gone on from: all of it, but for what ends within a height that began again since, whose first end is in no
 * database any more. Throws FAILED_PRECONDITION where that is not of the same blocks.
 */
export async function readSame(
  client: pg.Client,
  manifest: Manifest,
  network: NetworkFacts,
  path: string,
): Promise<Manifest> {
  const { chain, parts } = manifest;
  if (chain !== network.chain)
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `${path} has the parts of ${chain}, and the database holds ${network.chain}: name another folder.`,
    );
  const last = parts.at(-1);
  if (last === undefined) return manifest;
  const goneOn = await client.query(GONE_ON, [last.to, last.upTo]);
  const from = max(network.pastFrom, ...Object.values(network.keptFromOf).map((position) => position - 1n));
  const upTo = parts.at(-2)?.upTo ?? -1n;
  const forgotten = (since: bigint) =>
    new GatewayError(
      'FAILED_PRECONDITION',
      `The database has forgotten what was before block ${heightOf(from)}, and ${path} is gone on with from ${since}: export sooner, or from another database.`,
    );
  if (goneOn.rows.length > 0) {
    // Whoever was ended before the base left nothing whole, nor word of what had been dropped before.
    if (upTo < 0n && manifest.bases.length === 0)
      return { chain, pastFrom: network.pastFrom, parts: [], bases: [] };
    // The first part of all may have what the database dropped since: then it is not written anew.
    if (upTo < 0n && hasLess(network, manifest)) throw forgotten(last.from);
    const bases = manifest.bases.filter(({ position }) => position <= upTo);
    return readSame(client, { ...manifest, parts: parts.slice(0, -1), bases }, network, path);
  }
  const { rows } = await client.query<{ height: string; digest: string | null }>(LAST_WITHIN, [last.upTo]);
  const [block] = rows;
  const isSame = block !== undefined && block.digest === last.digest && network.newest.position >= last.upTo;
  if (isSame) {
    if (from <= last.upTo) return manifest;
    throw forgotten(last.to);
  }
  const held = block === undefined ? 'none' : `block ${block.height} with ${block.digest}`;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `${path} ends with block ${last.to}, whose digest is ${last.digest}; the database has ${held} there: they are not of the same blocks, or it is behind. Name another folder.`,
  );
}

/** Whether a database has dropped anything since the first part was written; its base says what was dropped before. */
function hasLess({ pastFrom, keptFromOf }: NetworkFacts, manifest: Manifest): boolean {
  const kept = manifest.bases.at(-1)?.keptFromOf ?? {};
  return (
    pastFrom > manifest.pastFrom ||
    Object.entries(keptFromOf).some(([table, position]) => position > (kept[table] ?? 0n))
  );
}

const GONE_ON =
  'SELECT FROM blocks JOIN repeated_heights USING (height) WHERE height = $1 AND last_position > $2';

/** The last block that ends within positions up to one. */
export const LAST_WITHIN =
  'SELECT height, digest FROM blocks WHERE last_position <= $1 ORDER BY last_position DESC LIMIT 1';
