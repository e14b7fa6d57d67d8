import { raw, type Sql, sql } from './sql.ts';

/** Before the name of a table: what it is at present, also in a statement as of a block. */
export const PRESENT = raw('/* present */');

/** The position that a statement is as of, as SQL: of one that is as of a block, the last of that block. */
export const AS_OF = sql`(SELECT max(last_position) FROM blocks)`;

/** The end of the last block before a time, as SQL: nothing where there is none. It is one descent of an index, since times never fall. */
export function endBefore(time: Sql): Sql {
  return sql`(SELECT last_position FROM blocks WHERE blocks.timestamp < ${time}
    ORDER BY blocks.timestamp DESC, last_position DESC LIMIT 1)`;
}

/** The end of the first block at or after a time, in the same way. */
export function endFrom(time: Sql): Sql {
  return sql`(SELECT last_position FROM blocks WHERE blocks.timestamp >= ${time}
    ORDER BY blocks.timestamp, last_position LIMIT 1)`;
}
