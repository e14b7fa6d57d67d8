import DataLoader from 'dataloader';
import type { PrismaClient } from '../data/generated/prisma/client.ts';

/** What a relation selects of the rows it leads to, as the Prisma plugin plans it. */
type Query = object;

/** More keys than a page can have, and fewer than a statement can have parameters. */
const MAX_BATCH = 20_000;

/** Reads the rows that others name by a key: one statement for all that an operation names in the same moment. */
export type LinkLoaders = ReturnType<typeof createLinkLoaders>;

/**
 * For the `resolve` of relations. Without it the Prisma plugin would first read the rows again that the page has just
 * given, fifty at a time.
 */
export function createLinkLoaders(prisma: PrismaClient) {
  const byId = { keyOf: (row: { readonly id: string }) => row.id };
  const byMarket = { keyOf: (row: { readonly marketId: string }) => row.marketId };
  return {
    party: createLink({
      ...byId,
      read: (query, ids) => prisma.party.findMany({ ...query, where: { id: { in: ids } } }),
    }),
    asset: createLink({
      ...byId,
      read: (query, ids) => prisma.asset.findMany({ ...query, where: { id: { in: ids } } }),
    }),
    market: createLink({
      ...byId,
      read: (query, ids) => prisma.market.findMany({ ...query, where: { id: { in: ids } } }),
    }),
    proposal: createLink({
      ...byId,
      read: (query, ids) => prisma.proposal.findMany({ ...query, where: { id: { in: ids } } }),
    }),
    riskFactor: createLink({
      ...byMarket,
      read: (query, ids) => prisma.riskFactor.findMany({ ...query, where: { marketId: { in: ids } } }),
    }),
    marketData: createLink({
      ...byMarket,
      read: (query, ids) => prisma.marketData.findMany({ ...query, where: { marketId: { in: ids } } }),
    }),
  };
}

/** A loader for each selection, since rows are read with what is selected below them. */
function createLink<Row>({
  keyOf,
  read,
}: {
  readonly keyOf: (row: Row) => string;
  readonly read: (query: Query, keys: string[]) => Promise<Row[]>;
}): (query: Query, key: string) => Promise<Row | null> {
  const loaders = new Map<string, DataLoader<string, Row | null>>();
  return (query, key) => {
    const name = JSON.stringify(query);
    let loader = loaders.get(name);
    if (loader === undefined) {
      loader = new DataLoader(
        async (keys) => {
          const rows = new Map((await read(query, [...keys])).map((row) => [keyOf(row), row]));
          return keys.map((one) => rows.get(one) ?? null);
        },
        { maxBatchSize: MAX_BATCH },
      );
      loaders.set(name, loader);
    }
    return loader.load(key);
  };
}
