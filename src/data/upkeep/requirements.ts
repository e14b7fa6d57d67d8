import type pg from 'pg';
import { GatewayError } from '../../errors.ts';

/** What a server says of itself and of the database. */
export interface ServerFacts {
  /** As in `150006`. */
  readonly versionNumber: number;
  /** As in `15.6 (Debian 15.6-1)`. */
  readonly version: string;
  readonly encoding: string;
}

const OLDEST_MAJOR = 15;

/** Throws FAILED_PRECONDITION, with what to do, where the gateway cannot use the server or the database. */
export async function checkRequirements(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS "versionNumber",
       current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
  );
  const problem = rows[0] ? findProblem(rows[0]) : null;
  if (problem !== null) throw new GatewayError('FAILED_PRECONDITION', problem);
}

/** What stands against using a server, and what to do about it, in one sentence; null where nothing does. */
export function findProblem({ versionNumber, version, encoding }: ServerFacts): string | null {
  if (versionNumber < OLDEST_MAJOR * 10_000) {
    return `The database server is PostgreSQL ${version}, and Periscope needs ${OLDEST_MAJOR} or later: upgrade it, or name another server in DATABASE_URL.`;
  }
  if (encoding !== 'UTF8') {
    return `The database is encoded in ${encoding}, and Periscope needs UTF8: name another one in DATABASE_URL, made with CREATE DATABASE periscope ENCODING 'UTF8' TEMPLATE template0.`;
  }
  return null;
}
