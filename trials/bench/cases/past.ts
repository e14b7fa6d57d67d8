import { nameListAt, writeCursor } from '../../../src/domain/cursors.ts';
import type { BenchCase, Result } from '../bench.ts';
import { fillPast } from '../database/fill-past.ts';
import { idOf, pastHeights, positionOfRow } from '../database/rows.ts';
import { type BenchRequest, graphql, send } from '../load/request.ts';
import { type Contender, measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { count, describeFigures } from '../report/describe.ts';
import { type BenchServer, startPeriscope } from '../servers/start-server.ts';
import type { TableSizes } from '../size.ts';

/** A question about accounts that is asked of the present and of the past. */
interface PastQuestion {
  readonly name: string;
  readonly title: string;
  /** How much more CPU the past may take than the present. */
  readonly most: number;
  readonly query: string;
  readonly variables: (number: number, height: number | null, sizes: TableSizes) => Variables;
}

type Variables = Readonly<Record<string, unknown>>;

const FIELDS = 'balance owner asset type marketId';
const ROW = `node(nodeId: $nodeId) { ... on Account { ${FIELDS} } }`;
const PAGE = `accounts(first: $first, after: $after) { edges { node { ${FIELDS} } cursor }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

const QUESTIONS: readonly PastQuestion[] = [
  {
    name: 'row',
    title: 'an account',
    most: 1.3,
    query: ROW,
    variables: (number, height, sizes) => ({
      nodeId: nodeIdOf(height, positionOfRow('accounts', number, sizes)),
    }),
  },
  { name: 'page-20', title: '20 accounts', most: 2, query: PAGE, variables: pageOf(20) },
  { name: 'page-1000', title: '1,000 accounts', most: 1.5, query: PAGE, variables: pageOf(1_000) },
];

function nodeIdOf(height: number | null, position: bigint): string {
  return Buffer.from(`Account${height === null ? '' : `@${height}`}:${position}`).toString('base64');
}

function pageOf(first: number): PastQuestion['variables'] {
  return (number, height, sizes) => {
    const list = nameListAt('accounts', height === null ? null : BigInt(height));
    const position = positionOfRow('accounts', first + (number % (sizes.accounts - first)), sizes);
    return { first, after: writeCursor({ list, position }) };
  };
}

const DECLARED = { nodeId: 'ID!', first: 'Int', after: 'String' } as const;

function phrase(
  { query, variables }: PastQuestion,
  number: number,
  height: number | null,
  sizes: TableSizes,
) {
  const given = variables(number, height, sizes);
  const declared = Object.keys(given).map((name) => `$${name}: ${DECLARED[name as keyof typeof DECLARED]}`);
  if (height === null) return graphql(`query Now(${declared.join(', ')}) { ${query} }`, given);
  const text = `query Past($height: Uint64, ${declared.join(', ')}) { asOf(height: $height) { ${query} } }`;
  return graphql(text, { height: String(height), ...given });
}

/** As of so many blocks a party's accounts are asked for in one request, which may take so long. */
const HEIGHTS = 100;
const HEIGHTS_MS = 100;
const OF_PARTY = `query OfParty($party: ID!, $from: Uint64!, $to: Uint64!, $every: Uint64!) {
  asOfEach(from: $from, to: $to, every: $every) { block { height }
    accounts(filter: { partyIds: [$party] }, first: 100) { edges { node { ${FIELDS} } } } }
}`;

export const past: BenchCase = {
  name: 'past',
  title: 'as of a block',
  async run(bench) {
    const sizes = {
      ...bench.size.rows,
      accounts: bench.size.pastAccounts,
      deposits: 1,
      rewards: 1,
      blocks: 100,
    };
    const { first, middle, last } = pastHeights(sizes, bench.size.past);
    const database = await bench.postgres.openKept(`past_${bench.size.name}`, (client) =>
      fillPast(client, sizes, bench.size.past),
    );
    await using server = await startPeriscope({ DATABASE_URL: database.readerUrl });
    const within = (from: number, to: number) => (number: number) => from + ((number * 7919) % (to - from));
    const results: Result[] = [];
    for (const question of QUESTIONS) {
      const contender = (name: string, heightOf: (number: number) => number | null): Contender => ({
        name,
        server,
        request: (number) => phrase(question, number, heightOf(number), sizes),
      });
      const contenders = [
        contender('now', () => null),
        contender('recent', within(middle + 1, last)),
        contender('packed', within(first, middle)),
      ];
      for (const { request } of contenders) await checkAnswer(server, request(1));
      const figures = await measure(bench, contenders, { different: sizes.accounts });
      for (const name of ['recent', 'packed'])
        results.push(beside(question, name, figures, bench.size.past.changes));
    }
    const request = (number: number) => {
      const [from, every] = [first + (number % 50), Math.floor((last - first - 50) / HEIGHTS)];
      const variables = { party: idOf('party', number), from, to: from + every * (HEIGHTS - 1), every };
      return graphql(
        OF_PARTY,
        Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
      );
    };
    await checkAnswer(server, request(1));
    const ofParty = (
      await measure(
        { ...bench, size: { ...bench.size, connections: 1 } },
        [{ name: 'own', server, request }],
        { different: sizes.parties },
      )
    ).get('own') as Figures;
    return [
      ...results,
      {
        id: 'past/heights',
        what: `a party's accounts as of ${HEIGHTS} blocks in one request`,
        figure: describeFigures(ofParty),
        beside: '',
        value: ofParty.p50,
        unit: 'ms (p50)',
        target: { most: HEIGHTS_MS },
        cpuUs: ofParty.cpuUs,
        peerCpuUs: null,
        spread: ofParty.spread,
        note: '',
      },
    ];
  },
};

async function checkAnswer({ url }: BenchServer, request: BenchRequest): Promise<void> {
  const { text } = await send(url, request);
  if (JSON.parse(text).errors !== undefined || !text.includes('"balance":"'))
    throw new Error(`${JSON.stringify(request)} gives ${text.slice(0, 500)}`);
}

function beside(
  question: PastQuestion,
  name: string,
  figures: ReadonlyMap<string, Figures>,
  changes: number,
): Result {
  const [own, now] = [figures.get(name) as Figures, figures.get('now') as Figures];
  return {
    id: `past/${question.name}/${name}`,
    what: `${question.title} as of a block${name === 'packed' ? ' of the archive' : ''}, ${count(changes)} changes, cold`,
    figure: describeFigures(own),
    beside: `now: ${describeFigures(now)}`,
    value: own.cpuUs / now.cpuUs,
    unit: 'x the CPU of now',
    target: { most: question.most },
    cpuUs: own.cpuUs,
    peerCpuUs: now.cpuUs,
    spread: own.spread,
    note: '',
  };
}
