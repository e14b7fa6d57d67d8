import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import type { TestGateway } from '../support/gateway.ts';
import { addParameter } from './addresses.ts';

type Row = Readonly<Record<string, unknown>>;

/** An address of every list that there is, with all that it has. */
export async function listAddresses(gateway: TestGateway): Promise<readonly string[]> {
  const markets = (await gateway.rest('/api/v2/markets?pagination.first=100')).body.markets.edges;
  const nouns =
    'parties,assets,markets,riskFactors,marketData,accounts,deposits,rewards,proposals,votes,marginLevels,partyProfiles';
  return routes
    .filter(({ parameters }) => 'format' in parameters)
    .flatMap(({ path }) => {
      if (path.endsWith('/changes') && !path.includes('balance')) return [`${path}?nouns=${nouns}`];
      const ids = markets.slice(0, 2).map(({ node }: { readonly node: { readonly id: string } }) => node.id);
      if (path.endsWith('/candle'))
        return ids.map((id: string) => `${path}?candleId=trades_candle_1_minute_${encodeURIComponent(id)}`);
      if (!path.includes(':marketId')) return [path];
      return ids.map((id: string) =>
        path.replace(':marketId', encodeURIComponent(id)).concat(`?endTimestamp=${2n ** 62n}`),
      );
    });
}

/** The rows of a list as its pages give them as of a block, walked to the end. */
export async function readPages(
  gateway: TestGateway,
  address: string,
  height: string,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await gateway.rest(addParameter(address, `asOf=${height}${after}`));
    expect([address, status]).toEqual([address, 200]);
    const [list] = Object.values(body) as (readonly Row[] | Page)[];
    if (list === undefined || !('pageInfo' in list)) return list ?? [];
    rows.push(...list.edges.map(({ node }) => node));
    if (!list.pageInfo.hasNextPage) return rows;
    after = `&pagination.after=${list.pageInfo.endCursor}`;
  }
}

interface Page {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** The records of a CSV text, by a parser that is not ours. */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  return parse(text, { columns: true, bom: true, record_delimiter: '\r\n' });
}

/** A row as CSV has it: the members of objects by their paths, lists as JSON, nothing for what is not there. */
export function flatten(row: unknown, path = ''): Readonly<Record<string, string>> {
  if (row === null || row === undefined) return {};
  if (typeof row !== 'object' || Array.isArray(row))
    return { [path]: Array.isArray(row) ? JSON.stringify(row) : String(row) };
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => flatten(value, path === '' ? name : `${path}.${name}`)),
  );
}
