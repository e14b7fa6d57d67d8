import { nameListAt, writeCursor } from '../../src/domain/cursors.ts';
import { cursorOfRow, idOf, pastHeights, positionOfRow, START_TIME } from '../bench/database/rows.ts';
import { type BenchRequest, get, graphql } from '../bench/load/request.ts';
import type { Sizes } from './sizes.ts';

/** A question that is asked of a large database and of a small one. */
export interface Question {
  readonly name: string;
  /** The request of a number: `first` rows of a list, so that the same rows can be asked for twice. No two are equal, so none has an answer that was kept. */
  readonly request: (number: number, first: number, sizes: Sizes) => BenchRequest;
}

const REWARD = 'amount assetId partyId marketId epoch receivedAt percentageOfTotal rewardType';
const DEPOSIT = 'id amount status createdTimestamp';
const ACCOUNT = 'balance owner asset type marketId';

const party = (number: number, { rows }: Sizes) => idOf('party', number % rows.parties);
const asset = (number: number, { rows }: Sizes) => idOf('asset', number % rows.assets);
const market = (number: number, { rows }: Sizes) => idOf('market', number % rows.markets);
/** Each party has an account in so many assets. */
const held = ({ rows }: Sizes) => Math.ceil(rows.accounts / rows.parties);
const page = (fields: string) => `{ edges { node { ${fields} } cursor } pageInfo { hasNextPage endCursor } }`;

/** A field under a name that no other request has. */
const named = (field: string, number: number, first: number) => `as${first}x${number}: ${field}`;

/** The cursor of some row of a list, with enough rows behind it. */
function cursorIn(kind: 'deposits' | 'rewards', number: number, first: number, sizes: Sizes): string {
  const rows = sizes.rows[kind];
  return cursorOfRow(kind, first + (number % Math.max(1, rows - first)), sizes.rows);
}

const ofThePresent: readonly Question[] = [
  {
    name: 'a deposit by its id',
    request: (number, first, { rows }) =>
      graphql(
        `{ deposit(id: "${idOf('deposit', number % rows.deposits)}") { ${DEPOSIT} ${named('amount', number, first)} } }`,
        {},
      ),
  },
  {
    name: 'a page of rewards behind a cursor',
    request: (number, first, sizes) =>
      get(
        `/api/v2/rewards?pagination.first=${first}&pagination.after=${cursorIn('rewards', number, first, sizes)}`,
      ),
  },
  {
    name: 'a page of deposits behind a cursor',
    request: (number, first, sizes) =>
      get(
        `/api/v2/deposits?pagination.first=${first}&pagination.after=${cursorIn('deposits', number, first, sizes)}`,
      ),
  },
  {
    name: "a party's newest rewards",
    request: (number, first, sizes) =>
      get(`/api/v2/rewards?partyId=${party(number, sizes)}&pagination.first=${first}`),
  },
  {
    // `fill.ts` pays a party in one asset.
    name: "a party's rewards of an asset",
    request: (number, first, sizes) =>
      get(
        `/api/v2/rewards?partyId=${party(number, sizes)}&assetId=${asset((number % sizes.rows.parties) * 9, sizes)}&pagination.first=${first}`,
      ),
  },
  {
    name: "a party's accounts",
    request: (number, first, sizes) =>
      get(`/api/v2/accounts?filter.partyIds=${party(number, sizes)}&pagination.first=${first}`),
  },
  {
    name: "a market's rewards behind a cursor",
    request: (number, first, sizes) =>
      graphql(
        `query ($after: String) { rewards(marketId: "${market(number * 2 + 1, sizes)}", first: ${first}, after: $after) ${page(REWARD)} }`,
        {
          after: cursorIn('rewards', number, first, sizes),
        },
      ),
  },
  {
    name: 'the largest accounts of an asset',
    request: (number, first, sizes) =>
      graphql(
        `{ accounts(filter: { assetIds: ["${asset(number % held(sizes), sizes)}"] }, orderBy: BALANCE_DESC, first: ${80 + first}) ${page(`${ACCOUNT} ${named('balance', number, first)}`)} }`,
        {},
      ),
  },
  {
    name: 'how many rewards two epochs have',
    request: (number, first, sizes) => {
      const epoch = number % Math.max(1, Math.floor(sizes.rows.blocks / 10) - 3);
      return graphql(
        `{ rewards(fromEpoch: ${epoch}, toEpoch: ${epoch + 2}) { ${named('totalCount', number, first)} } }`,
        {},
      );
    },
  },
  {
    name: 'how many deposits a range of dates has',
    request: (number, first, sizes) => {
      const from = number % Math.max(1, sizes.rows.blocks - 20);
      const time = (height: number) => START_TIME + BigInt(height) * 1_000_000_000n;
      return graphql(
        `{ deposits(dateRange: { startTimestamp: "${time(from)}", endTimestamp: "${time(from + 20)}" }) { ${named('totalCount', number, first)} } }`,
        {},
      );
    },
  },
];

const sums: readonly Question[] = [
  {
    name: "the network's rewards by asset and type",
    request: (number, first) =>
      graphql(
        `{ rewards(first: 0) { sums(by: [ASSET, TYPE]) { key { assetId type } amount ${named('count', number, first)} } } }`,
        {},
      ),
  },
  {
    // So many of its epochs, as an epoch of the larger network has fewer of a party's rewards, and there are more of them.
    name: "a party's rewards by asset and epoch",
    request: (number, first, sizes) =>
      graphql(
        `{ rewards(partyId: "${party(number, sizes)}", first: 0) { sums(by: [ASSET, EPOCH], first: ${first}) { key { assetId epoch } amount count } } }`,
        {},
      ),
  },
  {
    name: 'balances by asset and type',
    request: (number, first) =>
      graphql(
        `{ accounts(first: 0) { sums(by: [ASSET, TYPE]) { key { assetId type } amount ${named('count', number, first)} } } }`,
        {},
      ),
  },
];

/** As of blocks that are kept as they came, and of blocks that are packed. */
function asOf(name: string, heightsOf: (sizes: Sizes) => readonly [number, number]): readonly Question[] {
  const heightAt = (number: number, sizes: Sizes) => {
    const [from, to] = heightsOf(sizes);
    return from + ((Math.imul(number, 7919) >>> 0) % Math.max(1, to - from));
  };
  const past = (
    question: string,
    text: (number: number, first: number, sizes: Sizes, height: number) => string,
  ) => ({
    name: `${question}, as of ${name}`,
    request: (number: number, first: number, sizes: Sizes) => {
      const height = heightAt(number, sizes);
      return graphql(`{ asOf(height: ${height}) { ${text(number, first, sizes, height)} } }`, {});
    },
  });
  return [
    past('an account', (number, first, { rows }, height) => {
      const position = positionOfRow('accounts', number % rows.accounts, rows);
      const nodeId = Buffer.from(`Account@${height}:${position}`).toString('base64');
      return `node(nodeId: "${nodeId}") { ... on Account { ${ACCOUNT} ${named('balance', number, first)} } }`;
    }),
    past('a page of accounts', (number, first, { rows }, height) => {
      const list = nameListAt('accounts', BigInt(height));
      const position = positionOfRow('accounts', first + (number % Math.max(1, rows.accounts - first)), rows);
      return `accounts(first: ${first}, after: "${writeCursor({ list, position })}") ${page(ACCOUNT)}`;
    }),
    past(
      "a party's accounts",
      (number, first, sizes) =>
        `accounts(filter: { partyIds: ["${party(number, sizes)}"] }, first: ${first}) ${page(ACCOUNT)}`,
    ),
    past(
      "a party's rewards",
      (number, first, sizes) =>
        `rewards(partyId: "${party(number, sizes)}", first: ${first}) ${page(REWARD)}`,
    ),
  ];
}

export const QUESTIONS: readonly Question[] = [
  ...ofThePresent,
  ...sums,
  ...asOf('a block that is kept as it came', ({ rows, past }) => {
    const { middle, last } = pastHeights(rows, past);
    return [middle + 1, last];
  }),
  ...asOf('a block that is packed', ({ rows, past }) => {
    const { first, middle } = pastHeights(rows, past);
    return [first, middle];
  }),
];
