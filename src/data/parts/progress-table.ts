import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { GatewayError } from '../../errors.ts';
import { createConnection } from '../servers/connect.ts';
import type { Statements } from '../servers/statements.ts';
import { isUnavailable } from '../servers/unavailable.ts';
import { raw } from '../sql.ts';
import { unkept } from '../templates.ts';
import { isWriterLocked } from '../writing/writer-lock.ts';

/** What a database that a base is being taken into notes of that; it is gone at the end. */
export const PROGRESS_TABLE = 'base_ingest';

const FIND = `SELECT to_regclass('${PROGRESS_TABLE}') IS NOT NULL AS found`;

/** Whether a base was begun to be taken in, and is not whole yet. */
export async function hasProgress(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(FIND);
  return rows[0]?.found === true;
}

/** Throws FAILED_PRECONDITION where a base is being taken in: what is half there is not written to, changed or copied. */
export async function refuseHalfIngested(client: ClientBase): Promise<void> {
  if (await hasProgress(client)) throw halfIngested();
}

/** Throws as `refuseHalfIngested` does, by the statements of a reader. */
export async function checkWhole(statements: Statements): Promise<void> {
  const [row] = await statements.rows<{ found: boolean }>(unkept(raw(FIND)));
  if (row?.found === true) throw halfIngested();
}

/** Throws as `refuseHalfIngested` does, of the database at an address. */
export function refuseHalfIngestedAt(url: string): Promise<void> {
  return withReader(url, refuseHalfIngested);
}

function halfIngested(): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    'A base was begun to be taken into this database, and is not whole yet. Go on with the version that began it: periscope ingest base PLACE',
  );
}

/** How far a database is with a base, or with blocks that have come otherwise. */
export interface BaseStanding {
  /** Whether a base was begun, and is not whole yet. */
  readonly isBegun: boolean;
  /** Whether there are blocks: those of a base come at once, with all of the present. */
  readonly holdsBlocks: boolean;
  /** Whether a process writes to it. */
  readonly isWritten: boolean;
}

const ANSWER_MS = 10_000;
const LOOK_MS = 200;
const RETRY_MS = 1_000;

/** Asked by who may only read. */
export function readBaseStanding(url: string): Promise<BaseStanding> {
  return withReader(url, readStanding);
}

/** The height of the first block, which is never dropped; null where there is none. Asked by who may only read. */
export function readFirstHeight(url: string): Promise<bigint | null> {
  return withReader(url, async (client) => {
    const { rows } = await client.query<{ height: string | null }>(
      'SELECT min(height) AS height FROM blocks',
    );
    return rows[0]?.height == null ? null : BigInt(rows[0].height);
  });
}

/** How a database stands again and again, through times at which it is away. Rejects with an AbortError at a stop. */
export async function* watchBase(url: string, signal: AbortSignal): AsyncGenerator<BaseStanding, never> {
  while (true) {
    const client = createReader(url);
    try {
      await client.connect();
      while (true) {
        yield await readStanding(client);
        await sleep(LOOK_MS, undefined, { signal });
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/** The same, on a connection that is there. */
export async function readStanding(client: ClientBase): Promise<BaseStanding> {
  // In this order: blocks that came of a base come after its begin.
  const hasBlocks = await holdsBlocks(client);
  return {
    holdsBlocks: hasBlocks,
    isBegun: await hasProgress(client),
    isWritten: await isWriterLocked(client),
  };
}

/** Passes over no blocks of a base that are not committed yet: the network comes with them, and is one row. */
async function holdsBlocks(client: ClientBase): Promise<boolean> {
  return (await holds(client, 'networks')) && holds(client, 'blocks');
}

async function holds(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ holds: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS holds`);
  return rows[0]?.holds === true;
}

async function withReader<Result>(
  url: string,
  use: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = createReader(url);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function createReader(url: string) {
  return createConnection(url, { purpose: 'base', query_timeout: ANSWER_MS });
}
