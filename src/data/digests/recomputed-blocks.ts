import { columnOf } from '../columns.ts';
import type { Block } from '../generated/prisma/client.ts';
import { readVersions } from '../history/versions.ts';
import type { Noun, Positioned, Table } from '../noun.ts';
import { type NounName, nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { contentOf, type DigestedChanges } from './block-digests.ts';
import { type DigestedNoun, type DigestedRow, digestedNouns } from './digested.ts';

/** A block as the tables have it now: its rows may have been spoiled since they were written. */
export interface RecomputedBlock {
  readonly block: Block;
  readonly changes: DigestedChanges;
  readonly content: Buffer;
  readonly newParties: readonly DigestedRow[];
}

/** So many rows of each noun are held at most, unless a block changed more: those of one event are read at once. */
const PAGE = 2_000;

/**
 * Reads blocks that follow one another, with all that they changed, out of the histories. Where the height of one began again, what
 * its first part left and the second changed is not among that.
 */
export async function* recomputeBlocks(
  statements: Statements,
  blocks: readonly Block[],
  after: bigint,
): AsyncGenerator<RecomputedBlock> {
  const most = blocks.at(-1)?.lastPosition ?? after;
  const readers = digestedNouns.map((noun) => [noun, new RowReader(statements, noun, after, most)] as const);
  for (const block of blocks) {
    const changes: Partial<Record<NounName, readonly DigestedRow[]>> = {};
    for (const [{ name }, reader] of readers) changes[name] = await reader.takeUpTo(block.lastPosition);
    yield { block, changes, content: contentOf(block, changes), newParties: changes.party ?? [] };
  }
}

/** The rows of a noun as blocks left them, in the order of their changes. */
class RowReader {
  readonly #statements: Statements;
  readonly #noun: DigestedNoun;
  readonly #most: bigint;
  /** Up to here rows are read. */
  #read: bigint;
  #rows: DigestedRow[] = [];

  constructor(statements: Statements, noun: DigestedNoun, after: bigint, most: bigint) {
    this.#statements = statements;
    this.#noun = noun;
    this.#read = after;
    this.#most = most;
  }

  async takeUpTo(position: bigint): Promise<readonly DigestedRow[]> {
    while (this.#read < position) await this.#readMore();
    const end = this.#rows.findIndex((row) => (row[this.#noun.position] as bigint) > position);
    return this.#rows.splice(0, end === -1 ? this.#rows.length : end);
  }

  async #readMore(): Promise<void> {
    const { name, position } = this.#noun;
    const [after, most] = [this.#read, this.#most];
    const rows =
      nouns[name].history === 'added'
        ? await readAdded(this.#statements, this.#noun, after, most)
        : await readChanged(this.#statements, this.#noun, after, most);
    this.#rows.push(...rows);
    this.#read = rows.length < PAGE ? most : (rows.at(-1)?.[position] as bigint);
  }
}

/** Rows that never change, in the order in which they came. */
function readAdded(
  statements: Statements,
  { name, position }: DigestedNoun,
  after: bigint,
  most: bigint,
): Promise<DigestedRow[]> {
  const table = nouns[name].table as Table<DigestedRow>;
  const column = raw(`t.${columnOf(position)}`);
  return statements.rows(
    unkept(
      sql`SELECT ${table.columns} FROM ${table.name} AS t WHERE ${column} > ${after}::bigint AND ${column} <= ${most}::bigint ORDER BY ${column} FETCH FIRST ${PAGE} ROWS WITH TIES`,
    ),
  );
}

async function readChanged(
  statements: Statements,
  { name }: DigestedNoun,
  after: bigint,
  most: bigint,
): Promise<readonly DigestedRow[]> {
  const noun = nouns[name] as unknown as Noun<Positioned, never>;
  const request = { cursor: null, limit: PAGE, backward: false, newestFirst: false };
  const range = { least: after + 1n, most };
  const { rows } = await readVersions(statements, noun, { checks: [] }, range, request);
  return rows as unknown as readonly DigestedRow[];
}
