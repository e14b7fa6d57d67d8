import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Sql } from './sql.ts';

/** Sends the statements of readers. Their errors are the driver's; `isUnavailable` knows which of them pass. */
export interface Statements {
  /** Gives the rows as objects: 64-bit integers as bigints, JSON read, all else as the driver gives it. */
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Gives each row as its columns in their order, every one as the text that PostgreSQL wrote, or null. */
  texts(statement: Sql): Promise<readonly (readonly (string | null)[])[]>;
}

/**
 * Sends statements over a pool. A text that comes again is prepared under a name on each connection, so that
 * PostgreSQL parses and plans it once. Names are few, since each is kept by each connection: first come, first served.
 */
export function createStatements(pool: Pick<pg.Pool, 'query'>): Statements {
  const nameOf = createNames();
  return {
    async rows<Row>({ text, values }: Sql) {
      const result = await pool.query({ text, values, types: ROW_TYPES, ...nameOf(text) });
      return result.rows as Row[];
    },
    async texts({ text, values }) {
      const result = await pool.query({ text, values, types: TEXT_TYPES, rowMode: 'array', ...nameOf(text) });
      return result.rows;
    },
  };
}

/** How many texts have a name: all that the documented paths send, and as many of GraphQL's. A plan takes 20 to 50 kB. */
const MOST_NAMES = 200;
/** How many texts are remembered until they come again. */
const MOST_CANDIDATES = 1000;
/** A longer one belongs to a dear operation, of which its parsing is a small part. */
const LONGEST_TEXT = 8192;

function createNames(): (text: string) => { readonly name?: string } {
  const names = new Map<string, { readonly name: string }>();
  const candidates = new LRUCache<string, true>({ max: MOST_CANDIDATES });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size === MOST_NAMES || text.length > LONGEST_TEXT) return UNNAMED;
    if (!candidates.has(text)) {
      candidates.set(text, true);
      return UNNAMED;
    }
    candidates.delete(text);
    const name = { name: `periscope ${names.size}` };
    names.set(text, name);
    return name;
  };
}

const UNNAMED = {};

const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(type, format),
};

const TEXT_TYPES: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
