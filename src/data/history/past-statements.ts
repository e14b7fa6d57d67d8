import DataLoader from 'dataloader';
import type pg from 'pg';
import type { Statements } from '../servers/statements.ts';
import type { TextColumns } from '../servers/text-statement.ts';
import { atOneBlock, atSeveralBlocks, BLOCK_COLUMN } from './past-texts.ts';

/**
 * Makes the statements of one operation that see the database as it was at the end of a block, by its position. So whatever
 * can be asked of the present can be asked of the past, in the same words. What is asked as of several blocks in one moment
 * is one statement. What the past depends on never changes. The histories must reach back to the position.
 */
export function createPasts(statements: Statements): (position: bigint) => Statements {
  const rows = new Batches<Readonly<Record<string, unknown>>[]>(
    (asked) => statements.rows({ ...asked, dependsOn: 'nothing' }),
    (all, count) => {
      const parts = emptyParts<Readonly<Record<string, unknown>>>(count);
      for (const { [BLOCK_COLUMN]: block, ...row } of all) parts[Number(block) - 1]?.push(row);
      return parts;
    },
  );
  const texts = new Batches<readonly TextColumns[]>(
    (asked) => statements.texts({ ...asked, dependsOn: 'nothing' }),
    divide,
  );
  const arrays = new Batches<pg.QueryArrayResult>(
    (asked) => statements.arrays(asked as pg.QueryArrayConfig),
    (all, count) =>
      divide(all.rows, count).map((part) => ({ ...all, rows: part, fields: all.fields.slice(0, -1) })),
  );
  return (position) => ({
    rows: async <Row>(asked: Asked) => (await rows.ask(asked, position)) as Row[],
    texts: (asked) => texts.ask(asked, position),
    arrays: ({ values = [], ...asked }) => arrays.ask({ ...asked, values }, position),
    until: (signal, steps) => createPasts(statements.until(signal, steps))(position),
    saw: (seen) => statements.saw(seen),
    isPast: true,
  });
}

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Sends what is asked as of one block as it is, and what is asked as of several at once together. */
class Batches<Result> {
  readonly #send: (asked: { readonly text: string; readonly values: unknown[] }) => Promise<Result>;
  readonly #divide: (all: Result, count: number) => readonly Result[];
  readonly #loaders = new Map<string, DataLoader<bigint, Result>>();

  constructor(
    send: (asked: { readonly text: string; readonly values: unknown[] }) => Promise<Result>,
    divide: (all: Result, count: number) => readonly Result[],
  ) {
    this.#send = send;
    this.#divide = divide;
  }

  ask(asked: Asked, position: bigint): Promise<Result> {
    const key = JSON.stringify([asked.text, asked.values], writeBigint);
    const known = this.#loaders.get(key) ?? this.#createLoader(key, asked);
    return known.load(position);
  }

  /** Of what is asked in one moment: whatever is asked later is sent anew. */
  #createLoader(key: string, asked: Asked): DataLoader<bigint, Result> {
    const loader = new DataLoader<bigint, Result>(async (positions) => {
      this.#loaders.delete(key);
      const { text, values } = asked;
      if (positions.length === 1)
        return [
          await this.#send({
            ...asked,
            text: atOneBlock(text, values.length),
            values: [...values, `${positions[0]}`],
          }),
        ];
      const all = await this.#send({
        ...asked,
        text: atSeveralBlocks(text, values.length),
        values: [...values, positions.map(String)],
      });
      return this.#divide(all, positions.length);
    });
    this.#loaders.set(key, loader);
    return loader;
  }
}

/** The rows of each block, in their order, of rows that end with the block's place. */
function divide<Value>(rows: readonly (readonly Value[])[], count: number): Value[][][] {
  const parts = emptyParts<Value[]>(count);
  for (const row of rows) parts[Number(row.at(-1)) - 1]?.push(row.slice(0, -1));
  return parts;
}

function emptyParts<Row>(count: number): Row[][] {
  return Array.from({ length: count }, () => []);
}

function writeBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
