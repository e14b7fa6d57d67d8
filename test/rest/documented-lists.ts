import fc from 'fast-check';
import type { TableRow } from '../support/simulated.ts';

/** A parameter of a documented list, and which rows it lets through, told without any code of the gateway. */
export interface DocumentedFilter {
  readonly name: string;
  /** Another way to write the name. */
  readonly snakeName: string;
  /** The column that its values are of, and another where they may be of either. */
  readonly column: string;
  readonly orColumn?: string;
  readonly kind: 'one' | 'many' | 'from' | 'to' | 'before' | 'settled';
}

/** A documented list: where its rows are, and what an answer makes of one, field by field in their order. */
export interface DocumentedList {
  readonly path: string;
  readonly field: string;
  readonly table: string;
  readonly isPaged: boolean;
  readonly filters: readonly DocumentedFilter[];
  readonly fields: Readonly<Record<string, string>>;
  /** Which rows are in it, where not all are. */
  readonly shows?: (row: TableRow) => boolean;
  /** A row as an answer has it, where that is not the columns one by one. */
  readonly node?: (row: TableRow) => object;
  /** The members that newer releases added, after the others: there where the column has something. */
  readonly added?: Readonly<Record<string, string>>;
  /** The parameters of newer releases that no value is taken for, or none that chooses. */
  readonly refused?: readonly string[];
}

export const DEPOSIT_FIELDS = {
  id: 'id',
  status: 'status',
  partyId: 'party_id',
  asset: 'asset_id',
  amount: 'amount',
  txHash: 'tx_hash',
  creditedTimestamp: 'credited_timestamp',
  createdTimestamp: 'created_timestamp',
};

export const DOCUMENTED_LISTS: readonly DocumentedList[] = [
  {
    path: '/api/v2/deposits',
    field: 'deposits',
    table: 'deposits',
    isPaged: true,
    filters: [
      { name: 'partyId', snakeName: 'party_id', column: 'party_id', kind: 'one' },
      {
        name: 'dateRange.startTimestamp',
        snakeName: 'date_range.start_timestamp',
        column: 'updated_timestamp',
        kind: 'from',
      },
      {
        name: 'dateRange.endTimestamp',
        snakeName: 'dateRange.end_timestamp',
        column: 'updated_timestamp',
        kind: 'before',
      },
    ],
    fields: DEPOSIT_FIELDS,
  },
  {
    path: '/api/v2/accounts',
    field: 'accounts',
    table: 'accounts',
    isPaged: true,
    filters: [
      { name: 'filter.assetId', snakeName: 'filter.asset_id', column: 'asset_id', kind: 'one' },
      { name: 'filter.partyIds', snakeName: 'filter.party_ids', column: 'owner', kind: 'many' },
      { name: 'filter.marketIds', snakeName: 'filter.market_ids', column: 'market_id', kind: 'many' },
      { name: 'filter.accountTypes', snakeName: 'filter.account_types', column: 'type', kind: 'many' },
    ],
    refused: ['includeDerivedParties'],
    fields: {
      owner: 'owner',
      balance: 'balance',
      asset: 'asset_id',
      marketId: 'market_id',
      type: 'type',
    },
  },
  {
    path: '/api/v2/rewards',
    field: 'rewards',
    table: 'rewards',
    isPaged: true,
    filters: [
      { name: 'partyId', snakeName: 'party_id', column: 'party_id', kind: 'one' },
      { name: 'assetId', snakeName: 'asset_id', column: 'asset_id', kind: 'one' },
      { name: 'fromEpoch', snakeName: 'from_epoch', column: 'epoch', kind: 'from' },
      { name: 'toEpoch', snakeName: 'to_epoch', column: 'epoch', kind: 'to' },
      { name: 'marketId', snakeName: 'market_id', column: 'market_id', kind: 'one' },
      { name: 'gameId', snakeName: 'game_id', column: 'game_id', kind: 'one' },
    ],
    refused: ['teamId', 'includeDerivedParties'],
    fields: {
      assetId: 'asset_id',
      partyId: 'party_id',
      epoch: 'epoch',
      amount: 'amount',
      percentageOfTotal: 'percentage_of_total',
      receivedAt: 'received_at',
      marketId: 'market_id',
      rewardType: 'reward_type',
    },
    added: {
      lockedUntilEpoch: 'locked_until_epoch',
      quantumAmount: 'quantum_amount',
      gameId: 'game_id',
    },
  },
  {
    path: '/votes',
    field: 'votes',
    table: 'votes',
    isPaged: false,
    filters: [
      { name: 'proposal', snakeName: 'proposal', column: 'proposal_id', kind: 'one' },
      { name: 'party', snakeName: 'party', column: 'party_id', kind: 'one' },
    ],
    fields: {
      partyId: 'party_id',
      value: 'value',
      proposalId: 'proposal_id',
      timestamp: 'timestamp',
      totalGovernanceTokenBalance: 'total_governance_token_balance',
      totalGovernanceTokenWeight: 'total_governance_token_weight',
      totalEquityLikeShareWeight: 'total_equity_like_share_weight',
    },
    added: { elsPerMarket: 'els_per_market' },
  },
];

/** Some of what a request gives: parameters as they stand in a query, and the rows that pass them. */
export interface Given {
  readonly query: readonly string[];
  readonly passes: (row: TableRow) => boolean;
}

/** A filter with these values. */
export function give(filter: DocumentedFilter, values: readonly string[], name = filter.name): Given {
  const query = values.map((value) => `${name}=${encodeURIComponent(value)}`);
  return {
    query,
    passes: (row) =>
      values.length === 0 || columnsOf(filter).some((column) => passes(filter, String(row[column]), values)),
  };
}

function columnsOf({ column, orColumn }: DocumentedFilter): readonly string[] {
  return orColumn === undefined ? [column] : [column, orColumn];
}

function passes({ kind }: DocumentedFilter, own: string, values: readonly string[]): boolean {
  const [bound = ''] = values;
  switch (kind) {
    case 'one':
    case 'many':
      return values.includes(own);
    case 'from':
      return BigInt(own) >= BigInt(bound);
    case 'to':
      return BigInt(own) <= BigInt(bound);
    case 'before':
      return BigInt(own) < BigInt(bound);
    case 'settled':
      return bound === 'true' || own !== 'STATE_SETTLED';
  }
}

/** A filter, or none; in either spelling, lists repeated or with commas. */
export function anyGiven(filter: DocumentedFilter, rows: readonly TableRow[]): fc.Arbitrary<Given> {
  const values = valuesOf(filter, rows);
  const most = filter.kind === 'many' ? 3 : 1;
  return fc
    .record({
      chosen: fc.array(fc.constantFrom(...values), { maxLength: most }),
      isSnake: fc.boolean(),
      hasCommas: fc.boolean(),
    })
    .map(({ chosen, isSnake, hasCommas }) => {
      const given = give(filter, chosen, isSnake ? filter.snakeName : filter.name);
      if (!hasCommas || chosen.length < 2) return given;
      return { ...given, query: [`${filter.name}=${chosen.join(',')}`] };
    });
}

/** Values that let some rows through and others not; bounds lie on rows' own values and beside them. */
export function valuesOf(filter: DocumentedFilter, rows: readonly TableRow[]): readonly string[] {
  // No market is given by leaving the parameter out.
  const texts = rows.flatMap((row) => row[filter.column] ?? []);
  const own = [...new Set(texts)].filter((value) => value !== '');
  if (filter.kind === 'settled') return ['true', 'false'];
  if (filter.kind === 'one' || filter.kind === 'many') return own;
  return own.flatMap((value) => [value, String(BigInt(value) + 1n)]);
}

/** A row of a list as an answer has it. */
export function nodeIn(list: DocumentedList, row: TableRow): object {
  return list.node?.(row) ?? nodeOf(list.fields, row, list.added);
}

/** A row as an answer has it, by its columns. */
export function nodeOf(
  fields: Readonly<Record<string, string>>,
  row: TableRow,
  added: Readonly<Record<string, string>> = {},
) {
  const there = Object.entries(added).filter(([, column]) => row[column] !== null);
  const told = there.map(([name, column]) => [
    name,
    column.startsWith('els') ? sharesOf(row, column) : row[column],
  ]);
  const named = Object.entries(fields).map(([name, column]) => [name, row[column]]);
  return Object.fromEntries([...named, ...told]);
}

function sharesOf(row: TableRow, column: string) {
  const shares: readonly Readonly<Record<'marketId' | 'els', string>>[] = JSON.parse(row[column] ?? '[]');
  return shares.map(({ marketId, els }) => ({ marketId, els }));
}
