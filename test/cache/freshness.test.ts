import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOCKS, type CacheTag, tagOf } from '../../src/cache/cache-tags.ts';
import { columnOf } from '../../src/data/columns.ts';
import type { AnyNoun } from '../../src/data/noun.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { findLatestBlock, readTaggedBlocksAfter } from '../../src/data/queries/blocks.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { raw, sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { fromBlock, NO_BLOCK } from '../../src/feed/events.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { nodeIdFieldOf, writeNodeId } from '../../src/graphql/node-ids.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { chooseRandom } from '../support/seed.ts';

const BLOCKS_IN_ALL = 31;
/** How many operations ask for each field of the query. */
const OPERATIONS = 6;
/** How many objects below each other an operation may ask for. */
const DEPTH = 4;
const NO_FEED = {
  nameNewest: (find: () => unknown) => find(),
  nameBlock: async (found: unknown) => found,
} as never;
const query = schema.getQueryType() as GraphQLObjectType;
/** What is read of histories is never kept. */
const HISTORIES = ['balanceChanges', 'changes', 'marketDataHistory'];
const FIELDS = Object.values(query.getFields()).filter(({ name }) => !HISTORIES.includes(name));
const random = chooseRandom('freshness');

let whole: TestDatabase;
let operations: readonly Operation[];

interface Operation {
  readonly field: string;
  readonly text: string;
}

/** Identifiers that arguments can take: global ones, and those of each noun. */
interface Ids {
  readonly nodeIds: readonly string[];
  readonly ids: readonly string[];
}

beforeAll(async () => {
  whole = await createTestDatabase();
  await advance(whole.url, BLOCKS_IN_ALL);
  await using reader = openDatabase({ url: whole.url, readOnly: true });
  const ids = await readIds(reader);
  const made = FIELDS.map((field) => makeOperations(reader, field, ids));
  operations = (await Promise.all(made)).flat();
});

afterAll(async () => {
  await whole?.[Symbol.asyncDispose]();
});

test('every field of the query has operations that give something', () => {
  expect(new Set(operations.map(({ field }) => field))).toEqual(new Set(FIELDS.map(({ name }) => name)));
});

test.each([
  ['written as text', true],
  ['resolved by graphql-js', false],
])(
  'an answer stays as it is until a block has a tag of it, for each field of the query: %s',
  async (_, asText) => {
    await using network = await createTestDatabase();
    await using reader = openDatabase({ url: network.url, readOnly: true });
    const held = new Map<string, number>();
    const changed = new Set<CacheTag>();
    let kept: readonly Answer[] = [];
    let position = -1n;
    for (let height = 1; height <= BLOCKS_IN_ALL; height += height % 4 < 3 ? 1 : 3) {
      await advance(network.url, height);
      const blocks = await readTaggedBlocksAfter(reader.statements, position, 100);
      position = blocks.at(-1)?.block.lastPosition ?? position;
      const isKnown = blocks.every(({ cacheTags }) => cacheTags !== null);
      const tags = new Set([tagOf(BLOCKS), ...blocks.flatMap(({ cacheTags }) => cacheTags ?? [])]);
      for (const tag of tags) changed.add(tag);
      const answers: Answer[] = [];
      for (const [index, operation] of operations.entries()) {
        const answer = await run(reader, operation.text, asText);
        answers.push(answer);
        const before = kept[index];
        if (!isKnown || before === undefined || before.tags === null) continue;
        if (before.tags.some((tag) => tags.has(tag))) continue;
        expect([height, operation.text, answer.text]).toEqual([height, operation.text, before.text]);
        if (answer.isSomething) held.set(operation.field, (held.get(operation.field) ?? 0) + 1);
      }
      kept = answers;
    }
    // Nothing of this is empty: each noun has changed, and of each field an answer has stayed, but of the newest block.
    const all = Object.values<AnyNoun>(nouns);
    expect(all.filter((noun) => !changed.has(tagOf(noun))).map(({ name }) => name)).toEqual([]);
    const never = FIELDS.map(({ name }) => name).filter((field) => !held.has(field));
    expect(never).toEqual(['asOf', 'block', 'blocks', 'digest']);
  },
  300_000,
);

test('a statement that does not say what it depends on makes an answer that is not kept', async () => {
  await using reader = openDatabase({ url: whole.url, readOnly: true });
  const { statements, dependencies } = createContext({ ...reader, feed: NO_FEED });
  await statements.rows({ ...unkept(sql`SELECT 1`), dependsOn: 'nothing' });
  expect(dependencies.tags()).toEqual([]);
  // @ts-expect-error A statement is not sent without.
  await statements.rows(sql`SELECT 1`);
  expect(dependencies.tags()).toBeNull();
});

interface Answer {
  readonly text: string;
  readonly tags: readonly CacheTag[] | null;
  readonly isSomething: boolean;
}

async function run(reader: Database, text: string, asText: boolean): Promise<Answer> {
  const newest = await findLatestBlock(reader.statements);
  const feed = { ...(NO_FEED as object), latest: newest === null ? NO_BLOCK : fromBlock(newest) } as never;
  const context = createContext({ ...reader, feed });
  const answer = await prepareOperation(parse(text), null, { asText }).run({}, context);
  const tags = context.dependencies.tags();
  const json = answer.kind === 'text' ? `{"data":${answer.data.join('')}}` : JSON.stringify(answer.result);
  return { text: json, tags, isSomething: !NOTHING.test(json) && !json.includes('"errors":') };
}

const NOTHING = /^\{"data":\{"field":(null|\[\]|\[null\])\}\}$/;

/** Operations that ask for a field of the query, in some of the ways in which it can be asked for. */
async function makeOperations(reader: Database, field: GraphQLField<unknown, unknown>, ids: Ids) {
  const texts = new Set<string>();
  for (let tries = 0; tries < 150 && texts.size < OPERATIONS; tries += 1) {
    const text = `{ field: ${select(field, ids, DEPTH)} }`;
    if ((await run(reader, text, true)).isSomething) texts.add(text);
  }
  return [...texts].map((text) => ({ field: field.name, text }));
}

/** A field with all values of its objects, and with one of the objects below each. */
function select(field: GraphQLField<unknown, unknown>, ids: Ids, depth: number): string {
  const head = `${field.name}${giveArguments(field.args, ids)}`;
  const named = getNamedType(field.type);
  if (isObjectType(named)) return `${head} { ${selectOf(named, ids, depth)} }`;
  if (!isInterfaceType(named)) return head;
  const types = schema
    .getPossibleTypes(named)
    .map((one) => `... on ${one.name} { ${selectOf(one, ids, 0)} }`);
  return `${head} { ${types.join(' ')} }`;
}

function selectOf(type: GraphQLObjectType, ids: Ids, depth: number): string {
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const objects = fields.filter((field) => !isLeafType(getNamedType(field.type)));
  const chosen = objects[random.below(Math.max(objects.length, 1))];
  const below = chosen !== undefined && depth > 0 ? [`below: ${select(chosen, ids, depth - 1)}`] : [];
  return ['__typename', ...leaves, ...below].join(' ');
}

function giveArguments(args: readonly GraphQLArgument[], ids: Ids): string {
  const given = args.flatMap((argument) => {
    if (argument.name === 'first') return ['first: 3'];
    if (!isRequiredArgument(argument) && (getNamedType(argument.type).name !== 'ID' || random.below(3) > 0))
      return [];
    const value = valueOfType(argument.type, argument.name, ids);
    return value === null ? [] : [`${argument.name}: ${value}`];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function valueOfType(type: GraphQLArgument['type'], name: string, { nodeIds, ids }: Ids): string | null {
  const named = getNamedType(type);
  // Of groups: amounts are summed by asset.
  if (isEnumType(named)) {
    const others = named.getValues().filter((one) => one.name !== 'ASSET');
    return `[ASSET, ${pick(others).name}]`;
  }
  if (isListType(getNullableType(type))) {
    return isNodeId(name) ? JSON.stringify([0, 1].map(() => pick(nodeIds))) : null;
  }
  // What is searched for is an identifier.
  const isId = named.name === 'ID' || name === 'text';
  return JSON.stringify(isId ? pick(isNodeId(name) ? nodeIds : ids) : '5');
}

function isNodeId(argument: string): boolean {
  return argument.startsWith('nodeId');
}

function pick<T>(from: readonly T[]): T {
  return from[random.below(from.length)] as T;
}

/** A few identifiers of each noun, and one that there is not. */
async function readIds({ statements }: Database): Promise<Ids> {
  const [nodeIds, ids]: [string[], string[]] = [[], ['nothing']];
  for (const noun of Object.values<AnyNoun>(nouns)) {
    const isNode = noun.table.fields.includes('createdPosition');
    const key = isNode ? nodeIdFieldOf(noun) : (noun.key[0] ?? '');
    const read = sql`SELECT ${raw(columnOf(key))}::text AS id, ${raw(columnOf(noun.namedBy))}::text AS name
      FROM ${noun.table.name} ORDER BY 1 LIMIT 3`;
    const rows = await statements.rows<{ id: string; name: string }>(unkept(read));
    if (isNode) nodeIds.push(...rows.map(({ id }) => writeNodeId({ typename: noun.model, id })));
    if (noun.namedBy !== 'createdPosition') ids.push(...rows.map(({ name }) => name));
  }
  return { nodeIds, ids };
}

/** Takes the network in up to a block. */
async function advance(url: string, blocks: number): Promise<void> {
  await using writer = await Writer.open(url);
  const network = openSimulation({ seed: 3, parties: 5, markets: 2, release: '0.79', blocks });
  await applySource(withEpochs(network), writer, { pace: 'max', signal: new AbortController().signal });
}

/** Blocks in which nothing happens. */
function isQuiet(height: number): boolean {
  return height > 8 && height % 4 === 3;
}

/** The simulation tells of no epochs and of no discounts, and has no quiet blocks. */
function withEpochs(source: EventSource): EventSource {
  return {
    ...source,
    async *events(signal) {
      let height = 0;
      let partyId = '';
      for await (const { event, at } of source.events(signal)) {
        if (event.type === 'beginBlock') height = event.height;
        if (event.type === 'party') partyId ||= event.row.id;
        if (event.type === 'endBlock' && height % 5 === 0 && !isQuiet(height))
          for (const more of endEpoch(BigInt(height / 5), partyId)) yield { at, event: more };
        const isOfBlock = event.type === 'beginBlock' || event.type === 'endBlock';
        if (isOfBlock || !isQuiet(height)) yield { at, event };
      }
    },
  };
}

function endEpoch(seq: bigint, partyId: string): readonly NetworkEvent[] {
  const parts = { maker: '0.1', infrastructure: '0', liquidity: '0' };
  const times = { startTimestamp: seq, expiryTimestamp: seq + 1n, endTimestamp: 0n };
  return [
    { type: 'epoch', row: { seq, ...times } },
    { type: 'feeDiscount', row: { partyId, kind: 'VOLUME', epoch: seq - 1n, ...parts } },
  ];
}
