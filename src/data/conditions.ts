import { Prisma } from './generated/prisma/client.ts';
import type { AnyOf, Condition } from './pages.ts';

/** A filter value that was not given, or an empty list of them, lets every row through. */
export function isOneOf(
  column: string,
  values: string | readonly string[] | null | undefined,
  type = 'text',
): readonly AnyOf[] {
  if (values === undefined || values === null || values.length === 0) return [];
  return [{ column, type, values: typeof values === 'string' ? [values] : values }];
}

/** From the start on and before the end; a bound that was not given is open. */
export function isWithin(
  column: string,
  start: bigint | null | undefined,
  end: bigint | null | undefined,
): readonly Condition[] {
  const name = Prisma.raw(`t.${column}`);
  return [
    ...(start === undefined || start === null ? [] : [Prisma.sql`${name} >= ${start}`]),
    ...(end === undefined || end === null ? [] : [Prisma.sql`${name} < ${end}`]),
  ];
}
