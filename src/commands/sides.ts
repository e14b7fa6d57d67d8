import type { Side } from '../data/digests/comparison.ts';
import { sideOf } from '../data/digests/database-side.ts';
import { checkMigrated } from '../data/open.ts';
import { findPlace, type PartPlace } from '../data/parts/place.ts';
import { checkWhole } from '../data/parts/progress-table.ts';
import { type Database, openDatabase } from '../data/servers/client.ts';
import { describeRefusal } from '../data/servers/unavailable.ts';
import type { DisposableStack } from '../disposable-stack.ts';
import { capitalize } from '../domain/text.ts';
import { GatewayError } from '../errors.ts';
import { gatewaySide } from './gateway-side.ts';
import { holdsParts, openParts } from './parts-side.ts';
import { openReadable } from './readable-place.ts';
import { type Job, UsageError } from './run.ts';

/** A page of rows as of a block is read by one statement, on a machine with other work. */
const STATEMENT_LIMIT_MS = 120_000;
/** It may be that of another region, behind a busy pooler, and nobody waits for an answer here. */
const WAIT_MS = 10_000;

/** What an address names as one of two that are compared; the database of the settings where there is none. */
export async function openSide(
  job: Job,
  address: string | undefined,
  opened: DisposableStack,
): Promise<Side> {
  const { name, url } = await openAddress(job, address, opened);
  if (url === null) return gatewaySide(name, job.signal);
  return openDatabaseSide(name, url, job.signal, opened);
}

/** The database at an address, to be read. Throws FAILED_PRECONDITION where a base in it is not whole yet. */
async function openDatabaseSide(
  name: string,
  url: string,
  signal: AbortSignal,
  opened: DisposableStack,
): Promise<Side> {
  const database = opened.use(openReader(url));
  const statements = database.statements.until(signal);
  await checkWhole(statements);
  return sideOf(name, statements);
}

/** What an address is, by what a person calls it, and the database that has its rows; null where that is a gateway's alone. */
async function openAddress(
  job: Job,
  address: string | undefined,
  opened: DisposableStack,
): Promise<{ readonly name: string; readonly url: string | null }> {
  if (address === undefined) return opened.use(await openReadable(job.config, job.stop));
  if (/^postgres(ql)?:\/\//.test(address)) {
    const name = nameDatabase(address);
    const begin = capitalize(name);
    await checkMigrated(address, { name: begin }).catch((error: Error) => {
      // It is not the server of the settings that refuses.
      const refusal = describeRefusal(error);
      throw refusal === null ? error : new GatewayError('FAILED_PRECONDITION', `${begin} ${refusal}.`);
    });
    return { name, url: address };
  }
  const place = placeOf(address);
  if (place !== null && (await holdsParts(place, job.signal))) return openParts(address, place, job, opened);
  if (place?.kind === 'web') return { name: address, url: null };
  throw new UsageError(
    `${address === '' ? 'Nothing' : address} is neither the address of a gateway (http://…) nor of a database (postgres://…), and no folder of parts: it has no manifest.json. ${OF_ITS_OWN}`,
  );
}

/** A server has more than one: by its host, or the folder of its socket, and its own name. */
function nameDatabase(address: string): string {
  try {
    const { host, pathname, searchParams } = new URL(address);
    return `the database at ${searchParams.get('host') ?? host}${decodeURIComponent(pathname)}`;
  } catch {
    throw new UsageError(
      'The address of a database is postgres://USER:PASSWORD@HOST:PORT/NAME, with a port up to 65535.',
    );
  }
}

/** What is no place of parts may be something else; what cannot be an address is not. */
function placeOf(address: string): PartPlace | null {
  try {
    return findPlace(address);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A file of `backup`, and a `DATA_DIR`, hold a database that nobody serves. */
const OF_ITS_OWN =
  'To compare a backup, restore it into a database of its own, and what a DATA_DIR holds, name it in the settings: docs/digests.md says how.';

/** A database that is read for as long as a state or a block takes. Whoever opens it closes it. */
export function openReader(url: string): Database {
  return openDatabase({ url, readOnly: true, waitMs: WAIT_MS, statementTimeoutMs: STATEMENT_LIMIT_MS });
}
