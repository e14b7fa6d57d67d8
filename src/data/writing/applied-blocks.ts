import type { ClientBase } from 'pg';
import type { Block } from '../generated/prisma/client.ts';

/** How many blocks are read at once: whoever looks for one goes on with the next. */
const READ_AHEAD = 1_000;

/** The blocks that a database holds, as its writer looks them up: in order, while it passes by what is there. */
export class AppliedBlocks {
  readonly #client: ClientBase;
  /** The blocks of the heights from `from` to `to`. */
  #known: { readonly from: bigint; readonly to: bigint; readonly blocks: ReadonlyMap<bigint, Block> } | null =
    null;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  async readLast(): Promise<Block | null> {
    const [last] = await this.#read('ORDER BY height DESC LIMIT 1', []);
    return last ?? null;
  }

  /** The block of a height, the last where the height began again; undefined where there is none. */
  async find(height: bigint): Promise<Block | undefined> {
    let known = this.#known;
    if (known === null || height < known.from || height > known.to) {
      const rows = await this.#read(`WHERE height >= $1 ORDER BY height LIMIT ${READ_AHEAD}`, [`${height}`]);
      const blocks = new Map(rows.map((block) => [block.height, block]));
      known = { from: height, to: rows.at(-1)?.height ?? height, blocks };
      this.#known = known;
    }
    return known.blocks.get(height);
  }

  /** To be called after every block that is written: a height can begin again. */
  forget(): void {
    this.#known = null;
  }

  async #read(clauses: string, values: readonly string[]): Promise<readonly Block[]> {
    const { rows } = await this.#client.query<
      Record<'height' | 'hash' | 'timestamp' | 'last_position', string> & { readonly digest: string | null }
    >(`SELECT height, hash, timestamp, last_position, digest FROM blocks ${clauses}`, [...values]);
    return rows.map((row) => ({
      height: BigInt(row.height),
      hash: row.hash,
      timestamp: BigInt(row.timestamp),
      lastPosition: BigInt(row.last_position),
      digest: row.digest,
    }));
  }
}
