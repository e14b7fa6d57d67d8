/**
 * What each table takes, its indexes included, and how many rows it has, as the server last counted them, as SQL: the largest first. What
 * is in partitions is told of the table that they are of.
 */
export const TABLE_SIZES = `
  SELECT whole.relname AS name, CASE WHEN min(part.reltuples) >= 0 THEN sum(part.reltuples)::bigint ELSE -1 END::text AS rows,
    sum(pg_total_relation_size(part.oid))::text AS bytes
  FROM pg_class AS part JOIN pg_class AS whole ON whole.oid = coalesce(pg_partition_root(part.oid), part.oid)
  WHERE part.relkind = 'r' AND part.relnamespace = current_schema()::regnamespace
  GROUP BY whole.relname ORDER BY sum(pg_total_relation_size(part.oid)) DESC, whole.relname`;
