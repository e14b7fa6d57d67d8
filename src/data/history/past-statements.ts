import DataLoader from 'dataloader';
import type pg from 'pg';
import { min, writeBigint } from '../../domain/bigints.ts';
import type { Statements } from '../servers/statements.ts';
import type { TextColumns } from '../servers/text-statement.ts';
import type { Statement } from '../templates.ts';
import { atOneBlock, atSeveralBlocks, BLOCK_COLUMN, FORGOTTEN, tablesIn } from './past-texts.ts';

/**
 * Makes the statements of one operation that see the database as it was at the end of a block, by its position. So whatever
 * can be asked of the present can be asked of the past, in the same words. What is asked as of several blocks in one moment
 * is one statement. What the past depends on never changes. Where the past of a position is
 * forgotten, a statement rejects with what `guard` throws. Without that the reader has to look afterwards.
 */
export function createPasts(statements: Statements, guard?: Guard): (position: bigint) => Statements {
  const rows = new Batches<Readonly<Record<string, unknown>>[]>(
    (asked) => statements.rows({ ...asked, dependsOn: 'nothing' }),
    guard,
    divideRows,
  );
  const texts = new Batches<readonly TextColumns[]>(
    (asked) => statements.texts({ ...asked, dependsOn: 'nothing' }),
    guard,
    divide,
  );
  const arrays = new Batches<pg.QueryArrayResult>(
    (asked) => statements.arrays(asked as pg.QueryArrayConfig),
    guard,
    divideResult,
  );
  const positions = new Set<bigint>();
  return (position) => {
    positions.add(position);
    const ask = <Result>(batches: Batches<Result>, asked: Asked) =>
      positions.size === 1 ? batches.askAlone(asked, position) : batches.ask(asked, position);
    return {
      rows: async <Row>(asked: Asked) => (await ask(rows, asked)) as Row[],
      texts: (asked) => ask(texts, asked),
      arrays: ({ values = [], ...asked }) => ask(arrays, { ...asked, values }),
      until: (signal, steps) => createPasts(statements.until(signal, steps), guard)(position),
      saw: (seen) => statements.saw(seen),
      isPast: true,
    };
  };
}

interface Guard {
  /** Throws what is to be said where the past of some tables at a position is not kept. */
  readonly explain: (least: bigint, tables: readonly string[]) => Promise<void>;
  /** Whether the past of some tables at a position was kept when it was last looked for. */
  readonly isKept: (position: bigint, tables: readonly string[]) => boolean;
}

type Asked = Omit<Statement, 'dependsOn'>;

/** Sends what is asked as of one block as it is, and what is asked as of several at once together. */
class Batches<Result> {
  readonly #send: (asked: Asked) => Promise<Result>;
  readonly #guard: Guard | undefined;
  readonly #divide: (all: Result, count: number) => readonly Result[];
  readonly #loaders = new Map<string, DataLoader<bigint, Result>>();

  constructor(
    send: (asked: Asked) => Promise<Result>,
    guard: Guard | undefined,
    divide: (all: Result, count: number) => readonly Result[],
  ) {
    this.#send = send;
    this.#guard = guard;
    this.#divide = divide;
  }

  ask(asked: Asked, position: bigint): Promise<Result> {
    const key = JSON.stringify([asked.text, asked.values], writeBigint);
    const known = this.#loaders.get(key) ?? this.#createLoader(key, asked);
    return known.load(position);
  }

  /** Of what is asked in one moment: whatever is asked later is sent anew. */
  #createLoader(key: string, asked: Asked): DataLoader<bigint, Result> {
    const loader = new DataLoader<bigint, Result>((positions) => {
      this.#loaders.delete(key);
      return this.#read(asked, positions);
    });
    this.#loaders.set(key, loader);
    return loader;
  }

  async askAlone(asked: Asked, position: bigint): Promise<Result> {
    const [result] = await this.#read(asked, [position]);
    return result as Result;
  }

  async #read(asked: Asked, positions: readonly bigint[]): Promise<readonly Result[]> {
    const [first = 0n, ...others] = positions;
    const guard = this.#guard;
    if (guard === undefined) return this.#sendAll(asked, positions);
    const least = min(first, ...others);
    const tables = tablesIn(asked.text);
    if (!guard.isKept(least, tables)) await guard.explain(least, tables);
    try {
      return await this.#sendAll(asked, positions);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === FORGOTTEN) await guard.explain(least, tables);
      throw error;
    }
  }

  async #sendAll(asked: Asked, positions: readonly bigint[]): Promise<readonly Result[]> {
    const { text, values } = asked;
    if (positions.length === 1) {
      const past = atOneBlock(text, values.length, this.#guard === undefined ? 'leaves out' : 'fails');
      return [await this.#send({ ...asked, text: past, values: [...values, `${positions[0]}`] })];
    }
    const past = atSeveralBlocks(text, values.length);
    const mostRows = asked.mostRows && asked.mostRows * positions.length;
    const all = await this.#send({
      ...asked,
      ...{ text: past, values: [...values, positions.map(String)], mostRows },
    });
    return this.#divide(all, positions.length);
  }
}

function divideRows(all: readonly Readonly<Record<string, unknown>>[], count: number) {
  const parts = emptyParts<Readonly<Record<string, unknown>>>(count);
  for (const { [BLOCK_COLUMN]: block, ...row } of all) parts[Number(block) - 1]?.push(row);
  return parts;
}

function divideResult(all: pg.QueryArrayResult, count: number): pg.QueryArrayResult[] {
  return divide(all.rows, count).map((part) => ({ ...all, rows: part, fields: all.fields.slice(0, -1) }));
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
