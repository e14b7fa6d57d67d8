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

/** Where a list of the gateway stands: a field as GraphQL with what it takes, and the field that it is within. */
interface Place {
  readonly list: string;
  readonly within?: string;
  /** The types of the variables that these name, where they are not those of the subscription. */
  readonly types?: Readonly<Record<string, string>>;
}

const PAGE_ROWS = 1_000;

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
    if (field === 'marketData') return this.#ofMarkets(`marketData { ${fields} }`);
    if (field === 'partyProfiles') return this.#ofEach('parties', `profile { ${fields} }`);
    if (field === 'riskFactors') return this.#ofMarkets(`riskFactor { ${fields} }`);
    if (field === 'marginLevels') return this.#marginLevels(fields);
    const taken = Object.keys(args).map((name) => `${name}: $${name}`);
    const list = field === 'trades' ? `trades(filter: { ${taken} },` : `${field}(${taken},`;
    return this.#walk({ list }, fields, variables);
  }

  #ofMarkets(row: string): AsyncGenerator<unknown> {
    const { marketIds } = this.#asked.variables as { readonly marketIds?: readonly string[] | null };
    return this.#ofEach('markets', row, marketIds?.map(asGatewaysKeep));
  }

  /** What each row of a list has one of: of these, or of all. */
  async *#ofEach(list: string, row: string, wanted: readonly string[] = []): AsyncGenerator<unknown> {
    const all = this.#walk({ list: `${list}(`, types: {} }, `of: id row: ${row}`, {});
    for await (const { of, row } of all as AsyncIterable<{ of: string; row: unknown }>)
      if (row !== null && (wanted.length === 0 || wanted.includes(of))) yield row;
  }

  async *#marginLevels(fields: string): AsyncGenerator<unknown> {
    const given = this.#asked.variables;
    const ofMarket = { list: 'marginLevels(', within: 'market(id: $marketId)', types: { marketId: 'ID!' } };
    if (given['partyId'] != null) {
      const types = { partyId: 'ID!', marketId: 'ID' };
      const within = 'party(id: $partyId)';
      yield* this.#walk({ list: 'marginLevels(marketId: $marketId,', within, types }, fields, given);
    } else if (given['marketId'] != null) yield* this.#walk(ofMarket, fields, given);
    else
      for await (const marketId of this.#ofMarkets('id')) yield* this.#walk(ofMarket, fields, { marketId });
  }

  /** All pages of a list, as of the block. */
  async *#walk(
    { list, within, types = this.#asked.args }: Place,
    fields: string,
    given: Variables,
  ): AsyncGenerator<unknown> {
    const { urls, environment } = this.#asked;
    const declared = Object.entries(types).map(([name, type]) => `, $${name}: ${type}`);
    const page = `page: ${list} first: ${PAGE_ROWS}, after: $after, newestFirst: false) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } }`;
    const text = within === undefined ? page : `within: ${within} { ${page} }`;
    const operation = `query ($height: Uint64, $after: String${declared.join('')}) { asOf(height: $height) { ${text} } }`;
    const variables = Object.fromEntries(Object.keys(types).map((name) => [name, given[name]]));
    const options = {
      ...{ url: urls, environment, variables: { ...variables, height: this.#block.height } },
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    };
    const pick = ({ asOf }: Answer): Listed => asOf.page ?? asOf.within?.page ?? NOTHING;
    for await (const { nodes } of pages<Answer, Listed, Variables>(operation, options, pick)) yield* nodes;
  }
}

/** Ids of 64 hexadecimal digits can be asked for in any case. */
const asGatewaysKeep = (id: string) => (/^[\da-f]{64}$/i.test(id) ? id.toLowerCase() : id);

/** Of a party or a market that is not there. */
const NOTHING: Listed = { nodes: [], pageInfo: { hasNextPage: false } };

interface Answer {
  readonly asOf: { readonly page?: Listed; readonly within?: { readonly page: Listed } | null };
}
