import type { ResultOf } from 'gql.tada';
import { Decimal, MAX_DIGITS } from '../domain/decimals.ts';
import type { Column } from '../http/write/csv.ts';
import { graphql } from './graphql.ts';

/** The decimals of assets, by their ids. */
export const listDecimals = graphql(`
  query ListDecimals($ids: [ID!], $first: Int) {
    assets(ids: $ids, first: $first) { edges { node { id decimals } } }
  }
`);

/** The decimals of an asset. */
export type Decimals = ResultOf<typeof listDecimals>['assets']['edges'][number]['node'];

/** Asks for the decimals of some assets, which may be fewer. */
type AskDecimals = (ids: readonly string[]) => Promise<readonly Decimals[]>;

type Row = Readonly<Record<string, unknown>>;

/** Adds to rows what their amounts come to in the units of their assets, whose decimals it asks for once. */
export class AssetUnits {
  readonly column: Column;
  readonly #amount: string;
  readonly #asset: string;
  readonly #ask: AskDecimals;
  /** Null of an asset that is not known. */
  readonly #decimals = new Map<string, number | null>();

  private constructor(amount: string, asset: string, ask: AskDecimals) {
    this.#amount = amount;
    this.#asset = asset;
    this.#ask = ask;
    this.column = { name: `${amount}InUnits`, path: [`${amount}InUnits`] };
  }

  /** Null where rows have no amount beside its asset. */
  static of(columns: readonly Column[], ask: AskDecimals): AssetUnits | null {
    const find = (...names: readonly string[]) => columns.find(({ name }) => names.includes(name))?.name;
    const [amount, asset] = [find('amount', 'balance'), find('assetId', 'asset')];
    return amount === undefined || asset === undefined ? null : new AssetUnits(amount, asset, ask);
  }

  /** Asks for the decimals that it does not know yet. */
  async learn(rows: readonly object[]): Promise<void> {
    const given = rows as readonly Row[];
    const unknown = new Set(given.map((row) => String(row[this.#asset])));
    for (const id of this.#decimals.keys()) unknown.delete(id);
    if (unknown.size === 0) return;
    for (const id of unknown) this.#decimals.set(id, null);
    for (const one of await this.#ask([...unknown])) this.#note(one);
  }

  async addTo(rows: readonly object[]): Promise<readonly object[]> {
    await this.learn(rows);
    return (rows as readonly Row[]).map((row) => ({ ...row, [this.column.name]: this.#inUnits(row) }));
  }

  #note({ id, decimals }: Decimals): void {
    if (Number(decimals) <= MAX_DIGITS) this.#decimals.set(id, Number(decimals));
  }

  /** Exact; null of an asset that is not known. */
  #inUnits(row: Row): string | null {
    const decimals = this.#decimals.get(String(row[this.#asset])) ?? null;
    if (decimals === null) return null;
    return Decimal.ofScaled(BigInt(String(row[this.#amount])), decimals).toString();
  }
}
