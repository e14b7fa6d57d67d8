import sql, { join, raw, Sql } from 'sql-template-tag';
import type { PrismaClient } from './generated/prisma/client.ts';

/**
 * SQL with its values apart, as Prisma's own tag makes it (it is the same library): whoever only writes need not load
 * the client for it.
 */
export { join, raw, Sql, sql };

/** Runs a statement and gives its rows. Every statement of the readers goes this way. */
export function query<Row>(prisma: PrismaClient, { text, values }: Sql): Promise<Row[]> {
  return prisma.$queryRawUnsafe<Row[]>(text, ...values);
}
