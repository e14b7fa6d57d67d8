/**
 * Whether the newest row that is counted is the newest there is, as SQL. Of a noun without rows nothing is counted. With ONLY
 * it is about the present in statements as of a block, too.
 */
export function isRightCount({
  name,
  table,
}: {
  readonly name: string;
  readonly table: { readonly name: { readonly text: string } };
}): string {
  return `(SELECT max(position) FROM row_counts WHERE noun = '${name}' AND key = '')
    IS NOT DISTINCT FROM (SELECT max(created_position) FROM ONLY ${table.name.text})`;
}
