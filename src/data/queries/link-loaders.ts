import DataLoader from 'dataloader';
import type { AnyNoun, Noun } from '../noun.ts';
import type { Statements } from '../servers/statements.ts';
import { type RowsOptions, readRows } from './rows.ts';

/** Reads the rows that others name by a key: one statement for all that an operation names in the same moment. */
export interface LinkLoaders {
  /** The row of a noun with a key of one field; null where there is none. */
  load<Row>(noun: Noun<Row, never>, key: string): Promise<Row | null>;
  /** The same of a row that is always there and never changes, on which nothing depends. */
  loadCertain<Row>(noun: Noun<Row, never>, key: string): Promise<Row | null>;
}

export function createLinkLoaders(statements: Statements): LinkLoaders {
  // Made when they are asked for: what is answered with text never does.
  let changing: ReturnType<typeof createLoaders> | undefined;
  let certain: ReturnType<typeof createLoaders> | undefined;
  return {
    load<Row>(noun: Noun<Row, never>, key: string) {
      changing ??= createLoaders(statements);
      return changing(noun).load(key) as Promise<Row | null>;
    },
    loadCertain<Row>(noun: Noun<Row, never>, key: string) {
      certain ??= createLoaders(statements, { areFixed: true });
      return certain(noun).load(key) as Promise<Row | null>;
    },
  };
}

function createLoaders(
  statements: Statements,
  options?: RowsOptions,
): (noun: AnyNoun) => DataLoader<string, unknown> {
  const loaders = new Map<string, DataLoader<string, unknown>>();
  return (noun) => {
    const loader =
      loaders.get(noun.name) ??
      new DataLoader<string, unknown>(async (keys) => {
        const found = await readRows(statements, noun, keyFieldOf(noun), keys, options);
        return keys.map((key) => found.get(key) ?? null);
      });
    loaders.set(noun.name, loader);
    return loader;
  };
}

/** The field that links name a row by. */
export function keyFieldOf({ key }: Pick<Noun, 'key'>): string {
  return key[0] ?? '';
}
