import DataLoader from 'dataloader';
import type { AnyNoun, Noun } from './noun.ts';
import { type NoteRead, noteRows } from './reads.ts';
import { readRows } from './rows.ts';
import type { Statements } from './statements.ts';

/** Reads the rows that others name by a key: one statement for all that an operation names in the same moment. */
export interface LinkLoaders {
  /** The row of a noun with a key of one field; null where there is none. */
  load<Row>(noun: Noun<Row, never>, key: string): Promise<Row | null>;
}

export function createLinkLoaders(statements: Statements, note: NoteRead): LinkLoaders {
  const loaders = new Map<string, DataLoader<string, unknown>>();

  function createLoader(noun: AnyNoun): DataLoader<string, unknown> {
    return new DataLoader<string, unknown>(async (keys) => {
      noteRows(note, noun, keyFieldOf(noun), keys);
      const found = await readRows(statements, noun, keyFieldOf(noun), keys);
      return keys.map((key) => found.get(key) ?? null);
    });
  }

  return {
    load<Row>(noun: Noun<Row, never>, key: string) {
      const loader = loaders.get(noun.name) ?? createLoader(noun);
      loaders.set(noun.name, loader);
      return loader.load(key) as Promise<Row | null>;
    },
  };
}

/** The field that links name a row by. */
export function keyFieldOf({ key }: Pick<Noun, 'key'>): string {
  return key[0] ?? '';
}
