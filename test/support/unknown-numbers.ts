import { columnOf } from '../../src/data/columns.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { withClient } from './state.ts';

/**
 * Gives two rows in three of each enumeration numbers that nobody knows, the largest that there can be among them. Rows
 * that differ differ still.
 */
export async function writeUnknownNumbers(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const { table, enumerations } of Object.values(nouns))
      for (const field of Object.keys(enumerations).filter((name) => !name.includes('.'))) {
        const column = columnOf(field);
        await client.query(`
          WITH numbered AS (
            SELECT created_position, row_number() OVER (ORDER BY created_position) AS number
            FROM ${table.name.text} WHERE ${column} IS NOT NULL
          ), least AS (
            SELECT min(${column}) AS least FROM ${table.name.text} JOIN numbered USING (created_position) WHERE number % 3 = 1
          )
          UPDATE ${table.name.text} AS t SET ${column} = CASE number % 3
            WHEN 1 THEN ${MAX_ENUMERATION_NUMBER} - ${column} + least WHEN 2 THEN 1000 + ${column} ELSE ${column} END
          FROM numbered, least WHERE t.created_position = numbered.created_position`);
      }
  });
}
