import { RefusedError } from './errors.ts';
import type { Asked, Block } from './messages.ts';
import { type Connection, pages } from './query.ts';

/** What came of asking the gateway for rows as of their block. */
export interface Verification<Row> {
  /** `forgotten`: the gateway cannot say any more, or not yet, what was at this block. */
  readonly outcome: 'equal' | 'different' | 'forgotten';
  readonly block: Block;
  /** Rows that the gateway has, and the store lacks. */
  readonly missing: readonly Row[];
  /** Rows that the store has, and the gateway lacks. */
  readonly extra: readonly Row[];
  readonly different: readonly {
    readonly held: Row;
    readonly told: Row;
    readonly fields: readonly string[];
  }[];
  /** Why nothing can be compared, in the words of the gateway; else null. */
  readonly message: string | null;
}

/** Compares rows as of a block with what the gateway says of them as of it. */
export async function verifyRows<Row extends object>(
  asked: Asked,
  key: keyof Row & string,
  { block, rows }: { readonly block: Block; readonly rows: ReadonlyMap<string, Row> },
  signal?: AbortSignal,
): Promise<Verification<Row>> {
  const left = new Map(rows);
  const missing: Row[] = [];
  const different: { held: Row; told: Row; fields: string[] }[] = [];
  try {
    for await (const listed of new Asking(asked, block, signal).rows() as AsyncIterable<Row>) {
      const told = ofPresent(listed, block, key);
      const id = told[key] as string;
      const held = left.get(id);
      left.delete(id);
      const fields = held === undefined ? [] : fieldsThatDiffer(held, told);
      if (held === undefined) missing.push(told);
      else if (fields.length > 0) different.push({ held, told, fields });
    }
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'OUT_OF_RANGE') throw error;
    return { outcome: 'forgotten', block, missing: [], extra: [], different: [], message: error.message };
  }
  const extra = [...left.values()];
  const isEqual = missing.length + extra.length + different.length === 0;
  return { outcome: isEqual ? 'equal' : 'different', block, missing, extra, different, message: null };
}

/**
 * Ids that are the gateway's own say which block a row is as of, so that a cache keeps it apart. Streams tell those of the present, of
 * what a row links to as well.
 */
function ofPresent<Row extends object>(row: Row, { height }: Block, key: string): Row {
  const turnBack = (name: string, value: unknown) =>
    [key, 'id', 'nodeId'].includes(name) && typeof value === 'string' ? idOfPresent(value, height) : value;
  return JSON.parse(JSON.stringify(row), turnBack);
}

function idOfPresent(id: string, height: string): string {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(id) || id.length % 4 !== 0) return id;
  const [all, type] = new RegExp(`^(\\w+)@${height}:`).exec(atob(id)) ?? [];
  return all === undefined ? id : btoa(`${type}:${atob(id).slice(all.length)}`);
}

function fieldsThatDiffer<Row extends object>(held: Row, told: Row): string[] {
  const names = new Set([...Object.keys(held), ...Object.keys(told)]) as Set<keyof Row & string>;
  return [...names].filter((name) => JSON.stringify(held[name]) !== JSON.stringify(told[name]));
}

type Variables = Readonly<Record<string, unknown>>;

interface Listed extends Connection {
  readonly nodes: readonly unknown[];
}

/** A list of the gateway, as GraphQL, with what is asked of its rows. */
interface Walk {
  /** The field with what it takes, and the one that it is within. */
  readonly list: string;
  readonly within?: string;
  /** The types of the variables that these name. */
  readonly types: Readonly<Record<string, string>>;
  readonly fields: string;
}

/** What rows are of that have no list of their own, and the field that has them there. */
const OWNERS: Readonly<Record<string, readonly [list: string, field: string]>> = {
  marketData: ['markets', 'marketData'],
  partyProfiles: ['parties', 'profile'],
  riskFactors: ['markets', 'riskFactor'],
};

const ofEach = (list: string, row: string): Walk => ({
  ...{ list: `${list}(`, types: {}, fields: `of: id row: ${row}` },
});
const MARKETS = ofEach('markets', 'id');

const marginsOf = (fields: string): Readonly<Record<'party' | 'market', Walk>> => ({
  party: {
    ...{ list: 'marginLevels(marketId: $marketId,', within: 'party(id: $partyId)', fields },
    types: { partyId: 'ID!', marketId: 'ID' },
  },
  market: { list: 'marginLevels(', within: 'market(id: $marketId)', types: { marketId: 'ID!' }, fields },
});

/** The list of all others is named as their subscription is, and takes the same. */
function ownList(field: string, types: Walk['types'], fields: string): Walk {
  const taken = Object.keys(types).map((name) => `${name}: $${name}`);
  const list = field === 'trades' ? `trades(filter: { ${taken} },` : `${field}(${taken},`;
  return { list, types, fields };
}

const PAGE_ROWS = 1_000;

function operationOf({ list, within, types, fields }: Walk): string {
  const declared = Object.entries(types).map(([name, type]) => `, $${name}: ${type}`);
  const page = `page: ${list} first: ${PAGE_ROWS}, after: $after, newestFirst: false) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } }`;
  const text = within === undefined ? page : `within: ${within} { ${page} }`;
  return `query ($height: Uint64, $after: String${declared.join('')}) { asOf(height: $height) { ${text} } }`;
}

/** All that rows of a subscription may be asked with to be verified; nothing where the gateway lists none. */
export function operationsToVerify({
  field,
  args,
  lists,
}: Pick<Asked, 'field' | 'args' | 'lists'>): readonly string[] {
  const fields = lists[field];
  if (fields === undefined) return [];
  const owner = OWNERS[field];
  const { party, market } = marginsOf(fields);
  if (owner !== undefined) return [operationOf(ofEach(owner[0], `${owner[1]} { ${fields} }`))];
  return (field === 'marginLevels' ? [party, market, MARKETS] : [ownList(field, args, fields)]).map(
    operationOf,
  );
}

/** The rows of a subscription in the lists that the gateway has of them. */
class Asking {
  readonly #asked: Asked;
  readonly #block: Block;
  readonly #signal: AbortSignal | undefined;

  constructor(asked: Asked, block: Block, signal: AbortSignal | undefined) {
    this.#asked = asked;
    this.#block = block;
    this.#signal = signal;
  }

  rows(): AsyncIterable<unknown> {
    const { field, args, variables, lists } = this.#asked;
    const fields = lists[field];
    if (fields === undefined) throw new TypeError(`${field} are no rows that the gateway lists.`);
    const owner = OWNERS[field];
    if (owner !== undefined) return this.#ofEach(ofEach(owner[0], `${owner[1]} { ${fields} }`));
    if (field === 'marginLevels') return this.#marginLevels(fields);
    return this.#walk(ownList(field, args, fields), variables);
  }

  /** What each row of a list has one of: of the markets that are asked for, or of all. */
  async *#ofEach(list: Walk): AsyncGenerator<unknown> {
    const { marketIds } = this.#asked.variables as { readonly marketIds?: readonly string[] | null };
    const wanted = (marketIds ?? []).map(asGatewaysKeep);
    for await (const { of, row } of this.#walk(list, {}) as AsyncIterable<{ of: string; row: unknown }>)
      if (row !== null && (wanted.length === 0 || wanted.includes(of))) yield row;
  }

  async *#marginLevels(fields: string): AsyncGenerator<unknown> {
    const given = this.#asked.variables;
    const { party, market } = marginsOf(fields);
    if (given['partyId'] != null) yield* this.#walk(party, given);
    else if (given['marketId'] != null) yield* this.#walk(market, given);
    else for await (const marketId of this.#ofEach(MARKETS)) yield* this.#walk(market, { marketId });
  }

  /** All pages of a list, as of the block. */
  async *#walk(walk: Walk, given: Variables): AsyncGenerator<unknown> {
    const { urls, environment } = this.#asked;
    const variables = Object.fromEntries(Object.keys(walk.types).map((name) => [name, given[name]]));
    const options = {
      ...{ url: urls, environment, variables: { ...variables, height: this.#block.height } },
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    };
    const pick = ({ asOf }: Answer): Listed => asOf.page ?? asOf.within?.page ?? NOTHING;
    const all = pages<Answer, Listed, Variables>(operationOf(walk), options, pick);
    for await (const { nodes } of all) yield* nodes;
  }
}

/** Ids of 64 hexadecimal digits can be asked for in any case. */
const asGatewaysKeep = (id: string) => (/^[\da-f]{64}$/i.test(id) ? id.toLowerCase() : id);

/** Of a party or a market that is not there. */
const NOTHING: Listed = { nodes: [], pageInfo: { hasNextPage: false } };

interface Answer {
  readonly asOf: { readonly page?: Listed; readonly within?: { readonly page: Listed } | null };
}
