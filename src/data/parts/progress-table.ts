import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { GatewayError } from '../../errors.ts';
import { createConnection } from '../servers/connect.ts';
import type { Statements } from '../servers/statements.ts';
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

/** The same, by the statements of a reader. */
export async function checkWhole(statements: Statements): Promise<void> {
  const [row] = await statements.rows<{ found: boolean }>(unkept(raw(FIND)));
  if (row?.found === true) throw halfIngested();
}

/** The same of the database at an address. */
export function refuseHalfIngestedAt(url: string): Promise<void> {
  return withReader(url, refuseHalfIngested);
}

function halfIngested(): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    'A base was begun to be taken into this database, and is not whole yet. Go on with the version that began it: periscope ingest base PLACE',
  );
}

/** Whether a database holds no blocks, or a base that is not whole. Asked by who may only read. */
export function takesBase(url: string): Promise<boolean> {
  return withReader(url, isTakingBase);
}

async function isTakingBase(client: ClientBase): Promise<boolean> {
  return (await hasProgress(client)) || !(await holdsBlocks(client));
}

const ANSWER_MS = 10_000;
/** So often one looks whether the present is there, or who takes it in is gone. */
const LOOK_MS = 200;

/** The same, once no other process writes to it. Rejects with an AbortError at a stop. */
export function takesBaseFromHere(url: string, signal: AbortSignal): Promise<boolean> {
  return withReader(url, async (client) => {
    while (await isWriterLocked(client)) await sleep(LOOK_MS, undefined, { signal });
    return isTakingBase(client);
  });
}

/** Resolves when a database holds blocks: the present of a base comes whole. Rejects with an AbortError at a stop. */
export function untilPresent(url: string, signal: AbortSignal): Promise<void> {
  return withReader(url, async (client) => {
    while (!(await holdsBlocks(client))) await sleep(LOOK_MS, undefined, { signal });
  });
}

async function holdsBlocks(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ holds: boolean }>('SELECT EXISTS (SELECT FROM blocks) AS holds');
  return rows[0]?.holds === true;
}

async function withReader<Result>(
  url: string,
  use: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = createConnection(url, { purpose: 'base', query_timeout: ANSWER_MS });
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
