import type { PastSizes, TableSizes } from '../bench/size.ts';

/** What a database of so many rows has, all in all: a hundredth of it is accounts, and of each part as much as of another. */
export interface Sizes {
  readonly rows: TableSizes;
  readonly past: PastSizes;
}

export function shareOut(rows: number): Sizes {
  const part = (share: number) => Math.ceil(rows * share);
  const blocks = part(0.000_2);
  return {
    rows: {
      ...{ blocks, parties: part(0.002), accounts: part(0.01), markets: 20, assets: 10 },
      ...{ deposits: part(0.025), rewards: part(0.4) },
    },
    past: { blocks, changes: part(0.55) },
  };
}
