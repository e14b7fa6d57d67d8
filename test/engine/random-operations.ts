import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { nameListAt, nameListBy, writeCursor } from '../../src/domain/cursors.ts';
import { schema } from '../../src/graphql/index.ts';
import { argumentsOf, LISTS, type Tables } from '../graphql/simulated-lists.ts';

export interface RandomOperation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Types of the schema whose objects have a global ID, with the table and the column that it is made of. */
const NODES = [
  ['Party', 'parties', 'id'],
  ['Asset', 'assets', 'id'],
  ['Market', 'markets', 'id'],
  ['MarketData', 'market_data', 'market_id'],
  ['Account', 'accounts', 'created_position'],
  ['Deposit', 'deposits', 'id'],
  ['Trade', 'trades', 'created_position'],
  ['Reward', 'rewards', 'created_position'],
  ['Proposal', 'proposals', 'id'],
  ['Vote', 'votes', 'created_position'],
  ['MarginLevel', 'margin_levels', 'created_position'],
] as const;

/** Fields of the query that are asked for by an id, and where there are such ids. */
const BY_ID: Readonly<Record<string, readonly [argument: string, table: string]>> = {
  party: ['id', 'parties'],
  asset: ['id', 'assets'],
  market: ['id', 'markets'],
  marketData: ['marketId', 'markets'],
  deposit: ['id', 'deposits'],
  proposal: ['id', 'proposals'],
  trade: ['id', 'trades'],
};

/** Whose ids an argument takes. */
const TABLE_OF: Readonly<Record<string, string>> = {
  marketId: 'markets',
  assetId: 'assets',
  proposalId: 'proposals',
};

const DEPTH = 9;
/** About how many fields an operation has. */
const MOST_FIELDS = 30;

/** Valid queries of any shape over the rows of these tables: whatever a document can say of lists, rows and nodes. */
export function randomOperations(tables: Tables): fc.Arbitrary<RandomOperation> {
  return fc.gen().map((choose) => new OperationMaker(choose, tables).make());
}

/** The same question of what was at a block, and of a gateway that has not come further than that block. */
export interface PastQuestion {
  readonly past: RandomOperation;
  readonly present: RandomOperation;
}

/** What can be asked as of a block of a height. Cursors and global IDs are those of the present, and of the past in the other. */
export function pastQuestions(tables: Tables, height: bigint): fc.Arbitrary<PastQuestion> {
  return fc.gen().map((choose) => new OperationMaker(choose, tables, height).makePast());
}

const HISTORIES = ['balanceChanges', 'changes', 'history', 'marketDataHistory'];

class OperationMaker {
  readonly #choose: fc.GeneratorValue;
  readonly #tables: Tables;
  readonly #variables = new Map<string, { readonly type: string; readonly value: unknown }>();
  readonly #fragments: string[] = [];
  #names = 0;
  #fields = 0;

  /** Whether all is as of the block of a list above, whose cursors are not known yet. */
  #isBelowOrdered = false;

  /** The block that is asked about; null for the present. */
  #height: bigint | null;

  constructor(choose: fc.GeneratorValue, tables: Tables, height: bigint | null = null) {
    this.#choose = choose;
    this.#tables = tables;
    this.#height = height;
  }

  make(): RandomOperation {
    return this.#write(this.#selection(schema.getQueryType() as GraphQLObjectType, DEPTH));
  }

  makePast(): PastQuestion {
    const body = this.#selection(schema.getType('AsOf') as GraphQLObjectType, DEPTH - 1);
    const past = this.#write(`{ asOf(height: "${this.#height}") ${body} }`);
    const write = (text: string) => text.replaceAll('on AsOf', 'on Query');
    const present = this.#write(body);
    return { past, present: { ...present, text: write(present.text) } };
  }

  #write(body: string): RandomOperation {
    const definitions = [...this.#variables].map(([name, { type }]) => `$${name}: ${type}`);
    const head = definitions.length === 0 ? 'query' : `query (${definitions.join(', ')})`;
    const values = [...this.#variables].map(([name, { value }]) => [name, value] as const);
    return {
      text: [`${head} ${body}`, ...this.#fragments].join('\n'),
      variables: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    };
  }

  #selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter((field) => this.#canAsk(field, depth));
    const some = Array.from({ length: this.#number(1, 4) }, () => this.#pick([...fields, null]));
    this.#fields += some.length;
    const parts = some.map((field) =>
      field === null ? `${this.#alias()}__typename` : this.#field(type, field, depth),
    );
    return `{ ${parts.map((part) => this.#wrap(type, part)).join(' ')} }`;
  }

  #canAsk(field: GraphQLField<unknown, unknown>, depth: number): boolean {
    // Histories are graphql-js's alone, and have tests of their own.
    if (HISTORIES.includes(field.name)) return false;
    return (depth > 0 && this.#fields < MOST_FIELDS) || isLeafType(getNamedType(field.type));
  }

  /** A part of a selection as it stands, or in a fragment, or under a condition. */
  #wrap(type: GraphQLObjectType, part: string): string {
    switch (this.#number(-4, 4)) {
      case 1:
        return `... on ${type.name} { ${part} }`;
      case 2:
        return `... @include(if: ${this.#boolean()}) { ${part} }`;
      case 3:
        return `... @skip(if: ${this.#boolean()}) { ${part} }`;
      case 4: {
        const name = this.#name('F');
        this.#fragments.push(`fragment ${name} on ${type.name} { ${part} }`);
        return `...${name}`;
      }
      default:
        return part;
    }
  }

  #field(parent: GraphQLObjectType, field: GraphQLField<unknown, unknown>, depth: number): string {
    // Fields with arguments always have a name of their own: two of one name must have the same arguments.
    const alias = field.args.length > 0 ? `${this.#name('a')}: ` : this.#alias();
    if (field.name === 'asOf') return this.#asOf(alias, field.type, depth);
    const head = `${alias}${field.name}${this.#arguments(parent, field)}`;
    const isBelowOrdered = this.#isBelowOrdered;
    const once = () => {
      this.#isBelowOrdered ||= head.includes('orderBy: ');
      const text = `${head} ${this.#below(field.type, depth - 1)}`;
      this.#isBelowOrdered = isBelowOrdered;
      return text;
    };
    // What is asked for twice is merged.
    return this.#number(0, 9) === 0 ? `${once()} ${once()}` : once();
  }

  /** Everything below is as of one of the blocks, or of the newest. */
  #asOf(alias: string, type: GraphQLOutputType, depth: number): string {
    this.#height = this.#anyHeight();
    const body = this.#below(type, depth - 1);
    const given = this.#number(0, 9) === 0 ? '' : `(height: ${this.#value('Uint64', `${this.#height}`)})`;
    this.#height = null;
    return `${alias}asOf${given} ${body}`;
  }

  #anyHeight(): bigint {
    const blocks = this.#tables['blocks'] ?? [];
    return BigInt((blocks.length === 0 ? undefined : this.#pick(blocks)['height']) ?? 1);
  }

  #below(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isObjectType(named)) return this.#selection(named, Math.max(depth, 0));
    if (!isInterfaceType(named)) return '';
    const types = schema.getPossibleTypes(named).filter(() => this.#number(0, 2) > 0);
    const parts = types.map((one) => `... on ${one.name} ${this.#selection(one, Math.max(depth, 0))}`);
    return `{ id nodeId ${this.#alias()}__typename ${parts.join(' ')} }`;
  }

  #arguments(parent: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
    const { name } = field;
    const isRoot = parent.name === 'Query' || parent.name === 'AsOf';
    const byId = isRoot ? BY_ID[name] : undefined;
    if (byId !== undefined) return `(${byId[0]}: ${this.#value('ID!', this.#id(byId[1]))})`;
    if (isRoot && name === 'node') return `(nodeId: ${this.#value('ID!', this.#nodeId())})`;
    if (isRoot && name === 'nodes') {
      const ids = Array.from({ length: this.#number(0, 6) }, () => this.#nodeId());
      return `(nodeIds: ${this.#value('[ID!]!', ids)})`;
    }
    const list = LISTS.find((one) => one.name === (isRoot ? name : `${lowerFirst(parent.name)}.${name}`));
    if (list === undefined) return this.#anyArguments(field.args);
    const given = this.#choose(() => list.filters(this.#tables)).arguments ?? {};
    const filter = argumentsOf(given).slice(1, -1);
    const ofAsset = parent.name === 'Asset' || isOfOneAsset(given);
    const page = this.#page(list, field, ofAsset);
    return `(${[filter, ...page].filter((part) => part !== '').join(', ')})`;
  }

  /** Values of the right types, those that are required and some of the others. */
  #anyArguments(args: readonly GraphQLArgument[]): string {
    const given = args.flatMap((argument) => {
      // A series has as many points as are asked for, or buckets of a length.
      const isLikely = argument.name === 'points' && this.#choose(fc.boolean);
      const isWanted = isRequiredArgument(argument) || isLikely || this.#number(0, 15) === 0;
      const value = isWanted ? this.#anyValue(argument) : undefined;
      return value === undefined ? [] : `${argument.name}: ${value}`;
    });
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  /** Undefined for what is neither a scalar nor of an enumeration. */
  #anyValue({ type, name }: GraphQLArgument): string | undefined {
    const named = getNamedType(type);
    if (!isEnumType(named)) {
      const value = this.#scalar(named.name, name);
      return value === undefined ? undefined : this.#value(String(type), value);
    }
    const all = named.getValues().map((one) => one.name);
    if (!isListType(getNullableType(type))) return this.#value(String(type), this.#pick(all), String);
    const some = this.#choose(() => fc.shuffledSubarray(all, { minLength: 1, maxLength: 3 }));
    return this.#value(String(type), some, (names) => `[${names.join(', ')}]`);
  }

  /** Undefined for what is no scalar. */
  #scalar(type: string, name: string): unknown {
    switch (type) {
      case 'ID':
        return this.#id(TABLE_OF[name] ?? 'parties');
      case 'Boolean':
        return this.#choose(fc.boolean);
      case 'Int':
        return this.#number(-1, 9);
      case 'Timestamp':
        return this.#anyTime();
      case 'Int64':
      case 'Uint64':
      case 'Integer':
      case 'Decimal':
        return String(this.#number(0, 99));
      case 'String':
        return this.#anyText(name);
      default:
        return undefined;
    }
  }

  #anyTime(): string {
    const blocks = this.#tables['blocks'] ?? [];
    const time = blocks.length === 0 ? undefined : this.#pick(blocks)['timestamp'];
    return String(time ?? this.#number(0, 99));
  }

  /** Cursors have no text that would be right by chance. */
  #anyText(name: string): string | undefined {
    if (name === 'every') return this.#pick(['PT1M', 'PT15M', 'PT1H', 'P1D', 'P1W', 'PT7S', 'often']);
    if (name === 'zone') return this.#pick(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Nowhere']);
    if (name !== 'text') return undefined;
    const id = this.#id(this.#pick(['parties', 'markets', 'assets', 'proposals', 'deposits']));
    return this.#choose(fc.boolean) ? id : id.slice(0, 5);
  }

  #page(
    { table, cursorName, name }: (typeof LISTS)[number],
    { args }: GraphQLField<unknown, unknown>,
    ofAsset: boolean,
  ): readonly string[] {
    const orders = [
      ...(BY_UPDATE.includes(table) && name !== 'asset.deposits' ? ['UPDATED'] : []),
      ...(ofAsset ? (BY_VALUE[table] ?? []) : []),
    ];
    const isOrdered =
      orders.length > 0 && args.some((one) => one.name === 'orderBy') && this.#number(0, 2) === 0;
    const order = isOrdered ? this.#pick(orders) : null;
    const cursors = nameListBy(cursorName, order?.split('_')[0]);
    const column = order === 'UPDATED' ? 'updated_position' : 'created_position';
    const [size, cursor] = this.#pick([['first', 'after'] as const, ['last', 'before'] as const]);
    const parts = [`${size}: ${this.#value('Int', this.#number(0, 6))}`];
    const rows = this.#tables[table] ?? [];
    if (rows.length > 0 && !this.#isBelowOrdered && this.#choose(fc.boolean)) {
      const position = BigInt(this.#pick(rows)[column] ?? 0);
      // A walk in another order than that of creation is of a block, in the present too.
      const height = isOrdered ? (this.#height ?? this.#anyHeight()) : this.#height;
      const text = writeCursor({ list: nameListAt(cursors, height), position });
      parts.push(`${cursor}: ${this.#value('String', text)}`);
    }
    if (order !== null)
      parts.push(`orderBy: ${this.#number(0, 1) === 0 ? order : this.#variable('ListOrder', order)}`);
    // An order by a value says which row is first.
    if ((order ?? 'UPDATED') === 'UPDATED' && this.#choose(fc.boolean))
      parts.push(`newestFirst: ${this.#boolean()}`);
    return parts;
  }

  #boolean(): string {
    return this.#value('Boolean!', this.#choose(fc.boolean));
  }

  /** A value as a literal, in a variable, or as a variable's default. */
  #value<T>(type: string, value: T, write: (value: T) => string = JSON.stringify): string {
    const literal = write(value);
    const place = this.#pick(['literal', 'variable', 'default']);
    if (place === 'literal') return literal;
    if (place === 'variable') return this.#variable(type, value);
    return this.#variable(`${type} = ${literal}`, undefined);
  }

  #variable(type: string, value: unknown): string {
    const name = this.#name('v');
    this.#variables.set(name, { type, value });
    return `$${name}`;
  }

  #id(table: string): string {
    const ids = (this.#tables[table] ?? []).map((row) => String(row['id']));
    return this.#pick([...ids, 'nothing']);
  }

  #nodeId(): string {
    const [type, table, column] = this.#pick(NODES);
    const ids = (this.#tables[table] ?? []).map((row) => String(row[column]));
    const id = this.#pick([...ids, column === 'created_position' ? '007' : 'nothing']);
    // Now and then a text that is no global ID.
    const isGood = this.#number(0, 19) > 0;
    return isGood ? Buffer.from(`${type}:${id}`).toString('base64') : 'no ID';
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#number(0, from.length - 1)] as T;
  }

  #number(min: number, max: number): number {
    return this.#choose(fc.integer, { min, max });
  }

  #alias(): string {
    return this.#choose(fc.boolean) ? `${this.#name('a')}: ` : '';
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }
}

const BY_UPDATE = ['deposits', 'votes', 'proposals', 'markets', 'assets'];
const BY_VALUE: Readonly<Record<string, readonly string[]>> = {
  accounts: ['BALANCE_DESC', 'BALANCE_ASC'],
  deposits: ['AMOUNT_DESC', 'AMOUNT_ASC'],
  rewards: ['AMOUNT_DESC', 'AMOUNT_ASC'],
};

/** Whether what is asked for is of one asset, so that its amounts can be compared. */
function isOfOneAsset(given: Readonly<Record<string, unknown>>): boolean {
  const { assetId, assetIds } = { ...given, ...(given['filter'] as object) } as Readonly<
    Record<string, unknown>
  >;
  return typeof assetId === 'string' || (Array.isArray(assetIds) && new Set(assetIds).size === 1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
