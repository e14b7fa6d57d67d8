import { PRESENT } from './block-positions.ts';

/**
 * Whether the newest row that is counted is the newest there is, as SQL. Of a noun without rows nothing is counted. It is
 * about the present in statements as of a block, too.
 */
export function isRightCount({
  name,
  table,
}: {
  readonly name: string;
  readonly table: { readonly name: { readonly text: string } };
}): string {
  const counted = `SELECT max(position) FROM row_counts WHERE noun = '${name}' AND key = ''`;
  // All of them may have been dropped.
  const dropped = `${counted} AND position < (SELECT (kept_from_of ->> '${table.name.text}')::bigint FROM networks LIMIT 1)`;
  return `(${counted}) IS NOT DISTINCT FROM coalesce((SELECT max(created_position) FROM ${PRESENT.sql} ${table.name.text}), (${dropped}))`;
}
