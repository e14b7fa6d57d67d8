import { createHash } from 'node:crypto';
import { heightOf } from '../../domain/positions.ts';
import { GatewayError } from '../../errors.ts';
import { AS_OF } from '../block-positions.ts';
import { columnOf } from '../columns.ts';
import type { Table } from '../noun.ts';
import { nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { DIGEST_VERSION, type DigestedRow, digestedNouns, inOrder, writeLine } from './digested.ts';

/** The rows of a noun, as many as there are, under one digest. */
export interface NounDigest {
  /** The name of its table. */
  readonly noun: string;
  readonly rows: number;
  /** SHA-256 of their lines, as 64 hexadecimal digits. */
  readonly digest: string;
}

/** All that the network has at a block. */
export interface StateDigest {
  readonly digest: string;
  readonly nouns: readonly NounDigest[];
}

/** So many rows are read by one statement, and with the last of them those of the same event. */
const PAGE = 5_000;

/** The nouns as their whole rows stand in a state. */
export const stateNouns = digestedNouns.map(({ name, kind, key }) => {
  const table = nouns[name].table as Table<DigestedRow>;
  const { fields } = table;
  const position = fields.includes('createdPosition') ? 'createdPosition' : 'updatedPosition';
  return { kind, table, fields, position, key } as const;
});

type StateNoun = (typeof stateNouns)[number];

/** A row as its line, and the position that it stands at among the others. */
export interface StateLine {
  readonly position: bigint;
  readonly line: string;
}

/**
 * The digest of what statements see: as of a block, of the state then. It depends on neither the order in which rows lie nor
 * their partitions. `onRows` is told how many more were read, and may throw. Throws FAILED_PRECONDITION where rows were dropped,
 * also meanwhile.
 */
export async function readStateDigest(
  statements: Statements,
  onRows: (count: number) => void | Promise<void> = () => undefined,
): Promise<StateDigest> {
  await refuseDropped(statements);
  const digests: NounDigest[] = [];
  for (const noun of stateNouns) {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const page of readStatePages(statements, noun)) {
      for (const { line } of page) hash.update(line);
      rows += page.length;
      await onRows(page.length);
    }
    digests.push({ noun: noun.kind, rows, digest: hash.digest('hex') });
  }
  await refuseDropped(statements);
  return { digest: digestOf(digests), nouns: digests };
}

/** Of rows that were dropped nothing is left to read: what is there is no whole state. */
export async function refuseDropped(statements: Statements): Promise<void> {
  const [dropped] = await statements.rows<{ name: string; position: bigint }>(
    unkept(
      sql`SELECT name, position::bigint FROM networks CROSS JOIN jsonb_each_text(kept_from_of) AS kept (name, position)
        WHERE ${AS_OF} IS NOT NULL LIMIT 1`,
    ),
  );
  if (dropped === undefined) return;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `The ${dropped.name} before block ${heightOf(dropped.position)} were dropped, so that there is no digest of all that was: compare the digests of blocks.`,
  );
}

/** What the digests of all nouns come to. */
function digestOf(digests: readonly NounDigest[]): string {
  const lines = digests.map(({ noun, rows, digest }) => JSON.stringify([noun, `${rows}`, digest]));
  const first = JSON.stringify(['state', DIGEST_VERSION]);
  return createHash('sha256')
    .update(`${[first, ...lines].join('\n')}\n`)
    .digest('hex');
}

/** The rows of a noun as statements see them, in their order, page after page. */
export async function* readStatePages(
  statements: Statements,
  noun: StateNoun,
): AsyncGenerator<readonly StateLine[]> {
  const { kind, table, fields, position } = noun;
  const column = raw(`t.${columnOf(position)}`);
  let after = -1n;
  for (;;) {
    const rows = await statements.rows<DigestedRow>(
      unkept(
        sql`SELECT ${table.columns} FROM ${table.name} AS t WHERE ${column} > ${after}::bigint ORDER BY ${column} FETCH FIRST ${PAGE} ROWS WITH TIES`,
      ),
    );
    if (rows.length > 0) {
      yield inOrder(rows, noun).map((row) => ({
        position: row[position] as bigint,
        line: writeLine(kind, fields, row),
      }));
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.[position] as bigint;
  }
}
