import DataLoader from 'dataloader';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Noun } from './noun.ts';

/** What is selected of the rows, as the Prisma plugin plans it. */
type Selection = object;

/** More keys than a page can have, and fewer than a statement can have parameters. */
const MAX_BATCH = 20_000;

/** Reads the rows that others name by a key: one statement for all that an operation names in the same moment. */
export interface LinkLoaders {
  /** The row of a noun with a key of one field; null where there is none. */
  load<Row>(noun: Noun<Row, never>, selection: Selection, key: string): Promise<Row | null>;
}

/**
 * For the `resolve` of relations. Without it the Prisma plugin would first read the rows again that the page has just
 * given, fifty at a time.
 */
export function createLinkLoaders(prisma: PrismaClient): LinkLoaders {
  const loaders = new Map<string, DataLoader<string, unknown>>();
  return {
    load<Row>(noun: Noun<Row, never>, selection: Selection, key: string) {
      // A loader for each selection, since rows are read with what is selected below them.
      const name = `${noun.name} ${JSON.stringify(selection)}`;
      const loader = loaders.get(name) ?? createLoader(prisma, noun, selection);
      loaders.set(name, loader);
      return loader.load(key) as Promise<Row | null>;
    },
  };
}

function createLoader(prisma: PrismaClient, noun: Noun<unknown, never>, selection: Selection) {
  const [field = ''] = noun.key;
  const rows = delegateOf(prisma, noun);
  return new DataLoader<string, unknown>(
    async (keys) => {
      const found = await rows.findMany({ ...selection, where: { [field]: { in: [...keys] } } });
      const byKey = new Map(found.map((row) => [row[field], row]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { maxBatchSize: MAX_BATCH },
  );
}

interface Delegate {
  findMany(args: object): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The client's half for a model: `prisma.marketData` for MarketData. */
function delegateOf(prisma: PrismaClient, { model }: Noun<unknown, never>): Delegate {
  const name = model.charAt(0).toLowerCase() + model.slice(1);
  return (prisma as unknown as Readonly<Record<string, Delegate>>)[name] as Delegate;
}
