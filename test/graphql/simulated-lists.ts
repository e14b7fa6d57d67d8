import fc from 'fast-check';
import type { Enumeration } from '../../src/domain/enumeration.ts';
import {
  accountTypes,
  assetStatuses,
  depositStatuses,
  marketStates,
  proposalStates,
  voteValues,
} from '../../src/domain/enumerations.ts';
import type { SimulatedDatabase, TableRow } from '../support/simulated.ts';

export type Tables = Readonly<Record<string, readonly TableRow[]>>;

/** Reads the tables of a database by their names, each once. */
export async function readTables(
  simulated: Pick<SimulatedDatabase, 'readTable'>,
  names: readonly string[],
): Promise<Tables> {
  const read: Record<string, readonly TableRow[]> = {};
  for (const name of new Set(names)) read[name] = await simulated.readTable(name);
  return read;
}

/** Those whose rows the filters and parents of a list are made of. */
export function tablesOf({ table }: Pick<SimulatedList, 'table'>): readonly string[] {
  return ['parties', 'assets', 'markets', 'proposals', table];
}

/** One question to a list: the arguments as GraphQL has them, and the same said of rows by the test itself. */
export interface Given {
  readonly parentId?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly passes?: (row: TableRow) => boolean;
}

/** A list of the schema, at the top or hanging off an object. */
export interface SimulatedList {
  readonly name: string;
  readonly field: string;
  readonly table: string;
  /** The list's name in its cursors. */
  readonly cursorName: string;
  readonly key: 'id' | 'created_position' | 'market_id';
  readonly parent?: { readonly field: string; readonly ids: (tables: Tables) => readonly string[] };
  readonly filters: (tables: Tables) => fc.Arbitrary<Given>;
}

/** A value that GraphQL writes without quotes. */
class EnumName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Arguments as they stand in a document; without those that are undefined. */
export function argumentsOf(given: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return fields.length === 0
    ? ''
    : `(${fields.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')})`;
}

function literal(value: unknown): string {
  if (value instanceof EnumName) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields.map(([name, one]) => `${name}: ${literal(one)}`).join(', ')}}`;
}

/** What the list must hold, by nothing but the table's rows. */
export function expectedRows(list: SimulatedList, given: Given, tables: Tables, newestFirst: boolean) {
  return (tables[list.table] ?? [])
    .filter((row) => given.passes?.(row) ?? true)
    .map((row) => ({ id: String(row[list.key]), position: BigInt(row['created_position'] ?? 0) }))
    .sort((a, b) => (a.position < b.position === newestFirst ? 1 : -1));
}

type Filter = (tables: Tables) => fc.Arbitrary<Given>;

/** A single value of a column, at times one that no row has. */
function one(table: string, argument: string, column: string): Filter {
  return (tables) =>
    fc.option(fc.constantFrom(...values(tables, table, column), 'nothing'), { freq: 3 }).map((value) => ({
      arguments: value === null ? {} : { [argument]: value },
      passes: (row) => value === null || row[column] === value,
    }));
}

/** Several values of a column, at times one that no row has; none is no condition. */
function anyOf(table: string, argument: string, column: string, most = 4): Filter {
  return (tables) =>
    fc
      .option(fc.array(fc.constantFrom(...values(tables, table, column), 'nothing'), { maxLength: most }), {
        freq: 3,
      })
      .map((chosen) => anyOfThese(argument, column, chosen, chosen));
}

/** Several values of either of two columns of trades. */
function eitherOf(argument: string, columns: readonly [string, string]): Filter {
  return (tables) => {
    const known = columns.flatMap((column) => values(tables, 'trades', column));
    const chosen = fc.array(fc.constantFrom(...known, 'nothing'), { maxLength: 6 });
    return fc.option(chosen, { freq: 2 }).map((values) => ({
      arguments: values === null ? {} : { [argument]: values },
      passes: (row) => !values?.length || columns.some((column) => values.includes(String(row[column]))),
    }));
  };
}

/** The same of an enumeration, in every way that a value of it can be written in a document. */
function anyNamed(table: string, argument: string, column: string, enumeration: Enumeration): Filter {
  const { prefix } = enumeration;
  return (tables) => {
    const name = fc.constantFrom(...values(tables, table, column), `${prefix}99`);
    const written = fc.record({ name, isNumber: fc.boolean(), isBare: fc.boolean() });
    return fc.option(fc.array(written, { maxLength: 4 }), { freq: 3 }).map((chosen) => {
      const given = chosen?.map(({ name, isNumber, isBare }) => {
        const text = isNumber ? `${prefix}${enumeration.numberOf(name)}` : name;
        return isBare ? new EnumName(text) : text;
      });
      const names = chosen?.map(({ name }) => name);
      return anyOfThese(argument, column, names ?? null, given ?? null);
    });
  };
}

function anyOfThese(
  argument: string,
  column: string,
  values: readonly string[] | null,
  written: readonly unknown[] | null,
): Given {
  return {
    arguments: written === null ? {} : { [argument]: written },
    passes: (row) => values === null || values.length === 0 || values.includes(String(row[column])),
  };
}

/** A range of numbers whose ends are values of a column, or beside them; the last is included where GraphQL says so. */
function range(
  table: string,
  [from, to]: readonly [string, string],
  column: string,
  includesLast: boolean,
): Filter {
  return (tables) => {
    const ends = values(tables, table, column).map(BigInt);
    const end = fc.option(
      fc
        .tuple(fc.constantFrom(...ends, 0n), fc.constantFrom(0n, 0n, 1n))
        .map(([number, more]) => number + more)
        // A time that is hardly after 1970 is refused.
        .filter((number) => column !== 'updated_timestamp' || number !== 1n),
    );
    return fc.tuple(end, end).map(([least, most]) => ({
      arguments: {
        ...(least === null ? {} : { [from]: String(least) }),
        ...(most === null ? {} : { [to]: String(most) }),
      },
      passes: (row) => {
        const number = BigInt(row[column] ?? 0);
        return (
          (least === null || number >= least) &&
          (most === null || number < most || (includesLast && number === most))
        );
      },
    }));
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/** What several of them have in `filter` stands in one. */
function joinArguments(some: Arguments, others: Arguments): Arguments {
  const filter = Object.assign({}, some['filter'], others['filter']);
  return { ...some, ...others, ...(Object.keys(filter).length > 0 && { filter }) };
}

/** All of several filters. */
function all(...filters: readonly Filter[]): Filter {
  return (tables) =>
    fc.tuple(...filters.map((filter) => filter(tables))).map((given) => ({
      arguments: given.reduce<Arguments>((sum, each) => joinArguments(sum, each.arguments ?? {}), {}),
      passes: (row) => given.every((each) => each.passes?.(row) ?? true),
    }));
}

/** A filter that lets through what another one does not; without values it is no condition. */
function except(filter: Filter, argument: string): Filter {
  return (tables) =>
    filter(tables).map((given) => {
      const values = given.arguments?.[argument];
      const asks = Array.isArray(values) && values.length > 0;
      return { ...given, passes: (row) => !asks || given.passes?.(row) !== true };
    });
}

/** A filter whose arguments are the fields of one. */
function within(argument: string, filter: Filter): Filter {
  return (tables) =>
    filter(tables).map((given) => ({ ...given, arguments: { [argument]: given.arguments ?? {} } }));
}

const accounts = within(
  'filter',
  all(
    one('accounts', 'assetId', 'asset_id'),
    anyOf('accounts', 'assetIds', 'asset_id'),
    anyOf('accounts', 'partyIds', 'owner'),
    anyOf('accounts', 'marketIds', 'market_id'),
    anyNamed('accounts', 'accountTypes', 'type', accountTypes),
  ),
);
/** The one style or the other: conditions as arguments, or all of them in `filter`. */
function eitherStyle(filter: Filter): Filter {
  return (tables) => fc.oneof(filter(tables), within('filter', filter)(tables));
}

const dates = within(
  'dateRange',
  range('deposits', ['startTimestamp', 'endTimestamp'], 'updated_timestamp', false),
);
const epochs = range('rewards', ['fromEpoch', 'toEpoch'], 'epoch', true);
const TRADES = {
  table: 'trades',
  cursorName: 'trades',
  key: 'created_position',
  filters: all(
    within(
      'filter',
      all(
        anyOf('trades', 'marketIds', 'market_id'),
        eitherOf('partyIds', ['buyer', 'seller']),
        eitherOf('orderIds', ['buy_order', 'sell_order']),
      ),
    ),
    within('dateRange', range('trades', ['startTimestamp', 'endTimestamp'], 'updated_timestamp', false)),
  ),
} as const;
const states = eitherStyle(anyNamed('proposals', 'states', 'state', proposalStates));
const ofDeposits = all(
  eitherStyle(dates),
  within(
    'filter',
    all(
      anyOf('deposits', 'assetIds', 'asset_id'),
      anyNamed('deposits', 'statuses', 'status', depositStatuses),
    ),
  ),
);
const ofRewards = all(
  eitherStyle(epochs),
  within('filter', all(anyOf('rewards', 'types', 'reward_type'), anyOf('rewards', 'marketIds', 'market_id'))),
);
const ofVotes = within('filter', anyNamed('votes', 'values', 'value', voteValues));

const ACCOUNTS = {
  table: 'accounts',
  cursorName: 'accounts',
  key: 'created_position',
  filters: accounts,
} as const;
const DEPOSITS = { table: 'deposits', cursorName: 'deposits', key: 'id' } as const;
const REWARDS = { table: 'rewards', cursorName: 'rewards', key: 'created_position' } as const;
const VOTES = { table: 'votes', cursorName: 'votes', key: 'created_position' } as const;
const MARKETS = { table: 'markets', cursorName: 'markets', key: 'id' } as const;
const PROPOSALS = { table: 'proposals', cursorName: 'proposals', key: 'id' } as const;
const LEVELS = { table: 'margin_levels', cursorName: 'marginLevels', key: 'created_position' } as const;

/** Every list of the schema with every filter that it has. A test holds that none is missing. */
export const LISTS: readonly SimulatedList[] = [
  top({ ...ACCOUNTS, field: 'accounts' }),
  top({ ...DEPOSITS, field: 'deposits', filters: all(one('deposits', 'partyId', 'party_id'), ofDeposits) }),
  top({
    ...REWARDS,
    field: 'rewards',
    filters: all(one('rewards', 'partyId', 'party_id'), one('rewards', 'assetId', 'asset_id'), ofRewards),
  }),
  top({ ...TRADES, field: 'trades' }),
  top({
    ...VOTES,
    field: 'votes',
    filters: all(one('votes', 'proposalId', 'proposal_id'), one('votes', 'partyId', 'party_id'), ofVotes),
  }),
  top({
    ...MARKETS,
    field: 'markets',
    filters: all(
      one('markets', 'settlementAssetId', 'settlement_asset_id'),
      anyNamed('markets', 'states', 'state', marketStates),
      except(anyNamed('markets', 'exceptStates', 'state', marketStates), 'exceptStates'),
      within('filter', anyOf('markets', 'codes', 'instrument_code')),
    ),
  }),
  top({
    table: 'assets',
    cursorName: 'assets',
    key: 'id',
    field: 'assets',
    filters: all(anyOf('assets', 'ids', 'id'), anyNamed('assets', 'statuses', 'status', assetStatuses)),
  }),
  top({
    table: 'parties',
    cursorName: 'parties',
    key: 'id',
    field: 'parties',
    filters: anyOf('parties', 'ids', 'id'),
  }),
  top({
    table: 'market_data',
    cursorName: 'marketData',
    key: 'market_id',
    field: 'marketsData',
    filters: all(),
  }),
  top({ ...PROPOSALS, field: 'proposals', filters: all(one('proposals', 'partyId', 'party_id'), states) }),
  of('party', 'parties', 'owner', { ...ACCOUNTS, field: 'accounts' }),
  of('party', 'parties', 'party_id', { ...DEPOSITS, field: 'deposits', filters: ofDeposits }),
  of('party', 'parties', 'party_id', {
    ...REWARDS,
    field: 'rewards',
    filters: all(one('rewards', 'assetId', 'asset_id'), ofRewards),
  }),
  of('party', 'parties', 'party_id', {
    ...VOTES,
    field: 'votes',
    filters: all(one('votes', 'proposalId', 'proposal_id'), ofVotes),
  }),
  of('party', 'parties', ['buyer', 'seller'], { ...TRADES, field: 'trades' }),
  of('party', 'parties', 'party_id', { ...PROPOSALS, field: 'proposals', filters: states }),
  of('party', 'parties', 'party_id', {
    ...LEVELS,
    field: 'marginLevels',
    filters: one('margin_levels', 'marketId', 'market_id'),
  }),
  of('market', 'markets', 'parent_market_id', { ...MARKETS, field: 'successorMarkets', filters: all() }),
  of('market', 'markets', 'market_id', { ...ACCOUNTS, field: 'accounts' }),
  of('market', 'markets', 'market_id', { ...LEVELS, field: 'marginLevels', filters: all() }),
  of('market', 'markets', 'market_id', { ...TRADES, field: 'trades' }),
  of('market', 'markets', 'market_id', { ...REWARDS, field: 'rewards', filters: ofRewards }),
  of('asset', 'assets', 'asset_id', { ...ACCOUNTS, field: 'accounts' }),
  of('asset', 'assets', 'asset_id', { ...DEPOSITS, field: 'deposits', filters: ofDeposits }),
  of('asset', 'assets', 'settlement_asset_id', { ...MARKETS, field: 'markets', filters: all() }),
  of('asset', 'assets', 'base_asset_id', { ...MARKETS, field: 'baseMarkets', filters: all() }),
  of('asset', 'assets', 'quote_asset_id', { ...MARKETS, field: 'quoteMarkets', filters: all() }),
  of('asset', 'assets', 'asset_id', { ...REWARDS, field: 'rewards', filters: ofRewards }),
  of('proposal', 'proposals', 'proposal_id', {
    ...VOTES,
    field: 'votes',
    filters: all(one('votes', 'partyId', 'party_id'), ofVotes),
  }),
];

type Described = Omit<SimulatedList, 'name' | 'parent'>;

function top(list: Described): SimulatedList {
  return { ...list, name: list.field };
}

/** A list that hangs off an object, which the rows name in a column, or in either of some. */
function of(
  parent: string,
  parents: string,
  column: string | readonly string[],
  list: Described,
): SimulatedList {
  const columns = [column].flat();
  const ids = (tables: Tables) => values(tables, parents, 'id');
  return {
    ...list,
    name: `${parent}.${list.field}`,
    parent: { field: parent, ids },
    filters: (tables) =>
      fc
        .tuple(
          fc.constantFrom(...(ids(tables).length === 0 ? ['nothing'] : ids(tables))),
          list.filters(tables),
        )
        .map(([parentId, given]) => ({
          ...given,
          parentId,
          passes: (row) => columns.some((one) => row[one] === parentId) && (given.passes?.(row) ?? true),
        })),
  };
}

function values(tables: Tables, table: string, column: string): readonly string[] {
  return [...new Set((tables[table] ?? []).map((row) => String(row[column])))];
}
