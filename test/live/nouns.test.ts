import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { KeptEvent } from '../../src/ingest/events.ts';
import type { Random } from '../../src/simulation/random.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { withNames } from '../support/named-rows.ts';
import { chooseRandom } from '../support/seed.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { openNetwork } from './live-network.ts';

const OPTIONS = { seed: 5, blocks: 84, parties: 80, markets: 3 };
const FIRST_BLOCKS = 50;
const BLOCKS_A_SECOND = 10;

type Row = Readonly<Record<string, unknown>>;

/** A column, or another that may have the value as well. */
interface Chosen {
  readonly column: string;
  readonly orColumn?: string;
  readonly isList?: true;
}

/** A noun that is followed: what is asked, and what its events say. */
interface Noun {
  readonly field: string;
  /** The path that streams it, by the same filters. */
  readonly path?: string;
  readonly columns: readonly string[];
  /** The GraphQL arguments that may be given, and the column that each chooses by. */
  readonly filters: Readonly<Record<string, Chosen>>;
  readonly rowOf: (event: KeptEvent) => Row | null;
  /** What tells rows apart; rewards are each their own. */
  readonly keyOf: (row: Row) => string;
}

const NOUNS: readonly Noun[] = [
  {
    field: 'marketData',
    columns: ['market', 'markPrice', 'bestBidPrice', 'openInterest', 'timestamp', 'marketState'],
    filters: { marketIds: { column: 'market', isList: true } },
    rowOf: (event) =>
      event.type === 'marketData'
        ? {
            ...withNames('marketData', event.row),
            market: event.row.marketId,
            timestamp: `${event.row.timestamp}`,
          }
        : null,
    keyOf: ({ market }) => String(market),
  },
  {
    field: 'deposits',
    columns: ['id', 'partyId', 'amount', 'status', 'creditedTimestamp'],
    filters: { partyId: { column: 'partyId' } },
    rowOf: (event) =>
      event.type === 'deposit'
        ? { ...withNames('deposit', event.row), creditedTimestamp: `${event.row.creditedTimestamp}` }
        : null,
    keyOf: ({ id }) => String(id),
  },
  {
    field: 'trades',
    path: '/api/v2/stream/trades',
    columns: ['id', 'marketId', 'price', 'size', 'buyer', 'seller', 'aggressor', 'type'],
    filters: {
      marketIds: { column: 'marketId', isList: true },
      partyIds: { column: 'seller', orColumn: 'buyer', isList: true },
    },
    rowOf: (event) => (event.type === 'trade' ? withNames('trade', event.row) : null),
    keyOf: ({ id }) => String(id),
  },
  {
    field: 'rewards',
    columns: ['partyId', 'epoch', 'amount', 'receivedAt', 'rewardType', 'marketId', 'assetId'],
    filters: { partyId: { column: 'partyId' } },
    rowOf: (event) =>
      event.type === 'reward'
        ? { ...event.row, epoch: `${event.row.epoch}`, receivedAt: `${event.row.receivedAt}` }
        : null,
    keyOf: (row) => JSON.stringify(row),
  },
  {
    field: 'votes',
    columns: ['partyId', 'proposalId', 'value', 'timestamp', 'totalGovernanceTokenBalance'],
    filters: { partyId: { column: 'partyId' }, proposalId: { column: 'proposalId' } },
    rowOf: (event) =>
      event.type === 'vote' ? { ...withNames('vote', event.row), timestamp: `${event.row.timestamp}` } : null,
    keyOf: ({ partyId, proposalId }) => `${partyId} ${proposalId}`,
  },
];

describe('a stream folds to the state at every block that it names, cut and resumed on all of its transports', () => {
  test.each(NOUNS)('$field', async (noun) => {
    const random = chooseRandom(noun.field);
    const network = await openNetwork(OPTIONS);
    const blocks = await readBlocks(noun);
    await using database = await createTestDatabase();
    await network.write(database.url, FIRST_BLOCKS, 'max');
    await using gateway = await startTestGateway(database.url);
    const rows = blocks.flatMap((block) => [...block.values()]);
    const streams = Array.from({ length: 4 }, async (_, number) => {
      // One follows all of it from the beginning; the others come when they come.
      if (number === 0) return follow(gateway.url, random, noun, {}, blocks);
      const filter = chooseFilter(random, noun, random.pick(rows));
      await sleep(random.below(3000));
      return follow(gateway.url, random, noun, filter, blocks);
    });
    const [messages] = await Promise.all([
      Promise.all(streams),
      network.write(database.url, OPTIONS.blocks, BLOCKS_A_SECOND),
    ]);
    console.info(`${noun.field}: ${messages.join(', ')} messages`);
    expect(messages[0]).toBeGreaterThan(2);
  });

  test('blocks', async () => {
    const network = await openNetwork(OPTIONS);
    await using database = await createTestDatabase();
    await network.write(database.url, 70, 'max');
    await using gateway = await startTestGateway(database.url);
    const query = 'subscription($after: String) { blocks(after: $after) { block { height } cursor } }';
    const heights: number[] = [];
    let after: string | null = null;
    const writing = network.write(database.url, OPTIONS.blocks, BLOCKS_A_SECOND);
    while (heights.at(-1) !== OPTIONS.blocks) {
      const open = heights.length % 2 === 0 ? openGraphqlWs : openGraphqlSse;
      await using client = await open(gateway.url, query, { after });
      for (let left = 7; left > 0 && heights.at(-1) !== OPTIONS.blocks; left--) {
        const { blocks } = (await client.next()).data;
        heights.push(Number(blocks.block.height));
        after = blocks.cursor;
      }
    }
    await writing;
    expect(heights).toEqual(Array.from({ length: OPTIONS.blocks - 69 }, (_, n) => n + 70));
  });
});

type Filter = Readonly<Record<string, string | readonly string[]>>;
/** What a block changed, by what tells rows apart. */
type BlockRows = ReadonlyMap<string, Row>;

/** Every block's rows of a noun, told by the simulation's events alone. */
async function readBlocks({ rowOf, columns, keyOf }: Noun): Promise<readonly BlockRows[]> {
  const blocks: BlockRows[] = [];
  let rows = new Map<string, Row>();
  for await (const { event } of openSimulation(OPTIONS).events(new AbortController().signal)) {
    if (event.type === 'endBlock') {
      blocks.push(rows);
      rows = new Map();
    }
    if (['beginBlock', 'endBlock', 'upgradeStarted', 'other'].includes(event.type)) continue;
    const row = rowOf(event as KeptEvent);
    if (row === null) continue;
    const shown = Object.fromEntries(columns.map((column) => [column, row[column]]));
    rows.set(keyOf(shown), shown);
  }
  return blocks;
}

function chooseFilter(random: Random, { filters }: Noun, row: Row): Filter {
  const [name, { column, isList }] = random.pick(Object.entries(filters));
  const value = String(row[column]);
  return { [name]: isList ? [value] : value };
}

/** Follows until all that the filter lets through was told; gives the number of messages. */
async function follow(
  url: string,
  random: Random,
  noun: Noun,
  filter: Filter,
  blocks: readonly BlockRows[],
): Promise<number> {
  const { field, filters, columns, keyOf } = noun;
  const passes = (row: Row) =>
    Object.entries(filter).every(([name, value]) =>
      [filters[name]?.column, filters[name]?.orColumn].some(
        (column) => column !== undefined && [value].flat().includes(String(row[column])),
      ),
    );
  const changes = blocks.map((block) => [...block].filter(([, row]) => passes(row)));
  const last = changes.findLastIndex((rows) => rows.length > 0) + 1;
  const variables = Object.entries(filter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const query = `subscription($after: String) {
    ${field}(${[...variables, 'after: $after'].join(', ')}) {
      block { height } cursor
      snapshot { ${field} { ${columns.join(' ')} } lastPage }
      updates { ${field} { ${columns.join(' ')} } }
    }
  }`;
  const fold = new Map<string, Row>();
  let [height, messages, isComplete, after] = [0, 0, false, null as string | null];
  while (!isComplete || height < last) {
    const isOfPath = noun.path !== undefined && random.oneIn(2);
    const open = random.pick([openGraphqlWs, openGraphqlSse]);
    await using client = isOfPath
      ? await random.pick(OF_PATHS)(url, addressOf(noun, filter, after))
      : await open(url, query, { after });
    for (let left = random.between(1, 6); left > 0 && (!isComplete || height < last); left--) {
      const message = await client.next();
      const { block, cursor, snapshot, updates } = isOfPath
        ? readOfPath(noun, message)
        : readData(noun, message);
      const named = Number(block.height);
      const told: readonly Row[] = (snapshot ?? updates)[field];
      if (updates) {
        expect(isComplete && named > height, 'heights rise, after the snapshot').toBe(true);
        expect(changes.slice(height, named - 1).flat(), `no block is missing before ${named}`).toEqual([]);
        expect(sorted(told), `block ${named}`).toEqual(
          sorted((changes[named - 1] ?? []).map(([, row]) => row)),
        );
      }
      for (const row of told) fold.set(keyOf(row), row);
      [height, after, messages] = [named, cursor, messages + 1];
      isComplete ||= snapshot.lastPage;
      if (!isComplete) continue;
      expect(Object.fromEntries(fold)).toEqual(Object.fromEntries(changes.slice(0, height).flat()));
    }
  }
  return messages;
}

const OF_PATHS = [openNdjson, openSse, openDocumentedWebSocket];

function addressOf({ path }: Noun, filter: Filter, after: string | null): string {
  const query = new URLSearchParams({ cursors: 'true', ...(after !== null && { after }) });
  for (const [name, value] of Object.entries(filter)) query.set(name, [value].flat().join());
  return `${path}?${query}`;
}

type Message = Awaited<ReturnType<Awaited<ReturnType<typeof openSse>>['next']>>;

/** The message of a path as GraphQL has it. A snapshot or updates, never both. */
function readOfPath({ field, columns }: Noun, message: Message) {
  const { result, error, ...about } = message.data ?? message;
  expect(error).toBeUndefined();
  const [[kind, { [field]: rows, ...others }]] = Object.entries<Message>(result) as [[string, Message]];
  const shown = rows.map((row: Row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
  return { ...about, [kind]: { [field]: shown, ...others } };
}

function readData({ field }: Noun, { data, errors }: Message) {
  expect(errors).toBeUndefined();
  return data[field];
}

function sorted(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
