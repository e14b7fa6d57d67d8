import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '../../src/data/servers/client.ts';
import { accountTypes, depositStatuses } from '../../src/domain/enumerations.ts';
import type { EventSource, KeptEvent } from '../../src/ingest/events.ts';
import { bytesOf, runBy } from '../engine/executors.ts';

/** What a row counts for: the values that keys and filters choose by. */
export interface SummedRow {
  readonly asset: string;
  readonly market: string;
  readonly party: string;
  readonly type: string;
  readonly status: string;
  readonly epoch: bigint;
  /** The time of the block that wrote it last. */
  readonly updated: bigint;
  readonly amount: bigint;
}

export type SummedNoun = 'rewards' | 'accounts' | 'deposits';

/** What a network's rewards, accounts and deposits are at the end of each height, told by its events alone. */
export class SummedNetwork {
  /** By noun: of each row what it was from a height on. */
  readonly #rows: Readonly<
    Record<SummedNoun, Map<string, { readonly height: number; readonly row: SummedRow }[]>>
  > = {
    rewards: new Map(),
    accounts: new Map(),
    deposits: new Map(),
  };
  heights: number[] = [];

  static async of(source: EventSource): Promise<SummedNetwork> {
    const network = new SummedNetwork();
    let [height, time] = [0, 0n];
    for await (const { event } of source.events(new AbortController().signal)) {
      if (event.type === 'beginBlock') {
        [height, time] = [event.height, event.timestamp];
        network.heights.push(height);
      } else if (event.type === 'several') for (const one of event.events) network.#take(one, height, time);
      else if ('row' in event) network.#take(event, height, time);
    }
    return network;
  }

  #take(event: KeptEvent, height: number, updated: bigint): void {
    const put = (noun: SummedNoun, key: string, row: Partial<SummedRow>) => {
      const versions = this.#rows[noun].get(key) ?? [];
      versions.push({ height, row: { ...NOTHING, updated, ...row } });
      this.#rows[noun].set(key, versions);
    };
    if (event.type === 'reward') {
      const { assetId, marketId, partyId, rewardType, epoch, amount } = event.row;
      const row = {
        asset: assetId,
        market: marketId,
        party: partyId,
        type: rewardType,
        epoch,
        amount: BigInt(amount),
      };
      put('rewards', `${this.#rows.rewards.size}`, row);
    } else if (event.type === 'account') {
      const { assetId, marketId, owner, type, balance } = event.row;
      const row = { asset: assetId, market: marketId, party: owner, type: accountTypes.nameOf(type) };
      put('accounts', Object.values(row).join(' '), { ...row, amount: BigInt(balance) });
    } else if (event.type === 'deposit') {
      const { id, assetId, partyId, status, amount } = event.row;
      const row = { asset: assetId, party: partyId, status: depositStatuses.nameOf(status) };
      put('deposits', id, { ...row, amount: BigInt(amount) });
    }
  }

  rowsAt(noun: SummedNoun, height: number): readonly SummedRow[] {
    return [...this.#rows[noun].values()].flatMap(
      (versions) => versions.findLast((one) => one.height <= height)?.row ?? [],
    );
  }
}

const NOTHING: SummedRow = {
  asset: '',
  market: '',
  party: '',
  type: '',
  status: '',
  epoch: 0n,
  updated: 0n,
  amount: 0n,
};

export const ORDERS = ['AMOUNT_DESC', 'AMOUNT_ASC', 'KEY', 'KEY_DESC'] as const;

/** One question: what is summed, of which object, by which filter; the same said of rows by the test itself. */
export interface SumQuestion {
  readonly noun: SummedNoun;
  readonly parent: readonly [type: 'party' | 'asset' | 'market', id: string] | null;
  readonly filter: string;
  readonly passes: (row: SummedRow) => boolean;
  readonly by: readonly string[];
  readonly orderBy: (typeof ORDERS)[number];
  readonly first: number;
}

const PARTS = {
  rewards: ['ASSET', 'EPOCH', 'TYPE', 'MARKET', 'PARTY'],
  accounts: ['ASSET', 'TYPE', 'MARKET', 'PARTY'],
  deposits: ['ASSET', 'STATUS', 'PARTY'],
} as const;

/** Random questions that have an answer. */
export function sumQuestions(network: SummedNetwork): fc.Arbitrary<SumQuestion> {
  const last = network.heights.at(-1) ?? 0;
  return fc.constantFrom<SummedNoun[]>('rewards', 'accounts', 'deposits').chain((noun) => {
    const rows = network.rowsAt(noun, last);
    return fc
      .record({
        row: fc.constantFrom(...(rows.length > 0 ? rows : [NOTHING])),
        other: fc.constantFrom(...(rows.length > 0 ? rows : [NOTHING])),
        chosen: fc.uniqueArray(fc.constantFrom('asset', 'market', 'party', 'type', 'range'), {
          maxLength: 2,
        }),
        parent: fc.option(fc.constantFrom('party' as const, 'asset' as const, 'market' as const)),
        by: fc.shuffledSubarray([...PARTS[noun]]),
        orderBy: fc.constantFrom(...ORDERS),
        first: fc.constantFrom(1, 2, 3, 7, 100, 1000),
      })
      .map((made) => toQuestion(noun, made));
  });
}

interface Made extends Pick<SumQuestion, 'by' | 'orderBy' | 'first'> {
  readonly row: SummedRow;
  readonly other: SummedRow;
  readonly chosen: readonly string[];
  readonly parent: 'party' | 'asset' | 'market' | null;
}

function toQuestion(noun: SummedNoun, { row, other, chosen, parent, by, ...rest }: Made): SumQuestion {
  const checks: ((one: SummedRow) => boolean)[] = [];
  const filter: string[] = [];
  const choose = (part: string, text: string | null, check: (one: SummedRow) => boolean) => {
    if (!chosen.includes(part) || text === null || parent === part) return;
    filter.push(text);
    checks.push(check);
  };
  const of =
    parent !== null && !(noun === 'deposits' && parent === 'market') && row[parent] !== '' ? parent : null;
  const [from, to] = row.epoch < other.epoch ? [row.epoch, other.epoch] : [other.epoch, row.epoch];
  const [start, end] =
    row.updated < other.updated ? [row.updated, other.updated] : [other.updated, row.updated];
  const isOne = new Set(chosen).size % 2 === 0;
  const inAccounts = (text: string) => (noun === 'accounts' ? text : null);
  choose(
    'asset',
    noun === 'deposits' || (noun === 'rewards' && of === 'market') ? null : `assetId: "${row.asset}"`,
    (one) => one.asset === row.asset,
  );
  choose('type', inAccounts(`accountTypes: [${row.type}, ${other.type}]`), ({ type }) =>
    [row.type, other.type].includes(type),
  );
  choose(
    'market',
    noun === 'deposits' || (noun === 'rewards' && of !== null)
      ? null
      : noun === 'accounts'
        ? `marketIds: ["${row.market}"]`
        : `marketId: "${row.market}"`,
    (one) => one.market === row.market,
  );
  choose(
    'party',
    noun !== 'accounts' && of !== null
      ? null
      : noun === 'accounts'
        ? `partyIds: ["${row.party}", "${other.party}"]`
        : `partyId: "${row.party}"`,
    ({ party }) => party === row.party || (noun === 'accounts' && party === other.party),
  );
  if (noun === 'rewards')
    choose(
      'range',
      isOne ? `fromEpoch: "${from}", toEpoch: "${to}"` : `toEpoch: "${to}"`,
      ({ epoch }) => epoch <= to && (!isOne || epoch >= from),
    );
  if (noun === 'deposits')
    choose(
      'range',
      `dateRange: {startTimestamp: "${start}"${isOne ? `, endTimestamp: "${end}"` : ''}}`,
      ({ updated }) => updated >= start && (!isOne || updated < end),
    );
  if (of !== null) checks.push((one) => one[of] === row[of]);
  const isOfOneAsset = of === 'asset' || filter.some((text) => text.startsWith('assetId'));
  return {
    ...rest,
    noun,
    parent: of === null ? null : [of, row[of]],
    filter: noun === 'accounts' && filter.length > 0 ? `filter: {${filter.join(', ')}}` : filter.join(', '),
    passes: (one) => checks.every((check) => check(one)),
    by: by.includes('ASSET') || isOfOneAsset ? by : ['ASSET', ...by],
  };
}

export interface ExpectedGroup {
  readonly key: readonly string[];
  readonly amount: string;
  readonly count: number;
}

/** The answer, by nothing but the rows. */
export function reduce(
  rows: readonly SummedRow[],
  { passes, by, orderBy }: SumQuestion,
): readonly ExpectedGroup[] {
  const groups = new Map<
    string,
    { readonly key: readonly string[]; readonly row: SummedRow; amount: bigint; count: number }
  >();
  for (const row of rows.filter(passes)) {
    const key = by.map((part) => String(row[part.toLowerCase() as keyof SummedRow]));
    const group = groups.get(JSON.stringify(key)) ?? { key, row, amount: 0n, count: 0 };
    group.amount += row.amount;
    group.count += 1;
    groups.set(JSON.stringify(key), group);
  }
  const byKey = (one: SummedRow, other: SummedRow) => {
    for (const part of by) {
      const [a, b] = [sortable(one, part), sortable(other, part)];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
  const sign = orderBy.endsWith('DESC') ? -1 : 1;
  return [...groups.values()]
    .sort((one, other) => {
      if (!orderBy.startsWith('AMOUNT')) return sign * byKey(one.row, other.row);
      if (one.amount !== other.amount) return one.amount < other.amount ? -sign : sign;
      return byKey(one.row, other.row);
    })
    .map(({ key, amount, count }) => ({ key, amount: `${amount}`, count }));
}

/** Enumerations are in the order of their numbers. */
function sortable(row: SummedRow, part: string): string | bigint | number {
  if (part === 'STATUS') return depositStatuses.numberOf(row.status) ?? 0;
  if (part === 'TYPE' && row.type in accountTypes.numbers && row.epoch === 0n)
    return accountTypes.numberOf(row.type) ?? 0;
  return row[part.toLowerCase() as 'epoch' | 'asset'];
}

/** The question as an operation; of the groups after a cursor. */
function textOf(
  { noun, parent, filter, by, orderBy, first }: SumQuestion,
  height: number | null,
  after: string | null,
): string {
  const key = by.map((part) =>
    ['ASSET', 'MARKET', 'PARTY'].includes(part) ? `${part.toLowerCase()}Id` : part.toLowerCase(),
  );
  const keys = key.length === 0 ? '__typename' : key.join(' ');
  const list = `list: ${noun}${filter === '' ? '' : `(${filter})`} {
    sums(by: [${by.join()}], orderBy: ${orderBy}, first: ${first}${after === null ? '' : `, after: "${after}"`}) {
      key { ${keys} } amount count cursor hasNextPage
    }
  }`;
  const of = parent === null ? list : `of: ${parent[0]}(id: "${parent[1]}") { ${list} }`;
  return height === null ? `{ ${of} }` : `{ at: asOf(height: "${height}") { ${of} } }`;
}

/** All groups, page after page; null where the object that they are of is not there. */
export async function walk(
  database: Database,
  question: SumQuestion,
  height: number | null,
): Promise<readonly ExpectedGroup[] | null> {
  const found: ExpectedGroup[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 6; pages += 1) {
    const first = pages < 3 ? question.first : 1000;
    const page: readonly Group[] | null = await askFor(database, { ...question, first }, height, after);
    if (page === null) return null;
    for (const [index, group] of page.entries()) {
      const { cursor, hasNextPage, key, ...rest } = group;
      if (index < page.length - 1) expect(hasNextPage).toBe(true);
      found.push({ key: question.by.length === 0 ? [] : Object.values(key), ...rest });
      after = cursor;
    }
    if (page.at(-1)?.hasNextPage !== true) return found;
    expect(page).toHaveLength(first);
  }
  throw new Error('the walk does not end');
}

interface Group extends Omit<ExpectedGroup, 'key'> {
  readonly key: Readonly<Record<string, string>>;
  readonly cursor: string;
  readonly hasNextPage: boolean;
}

async function askFor(
  database: Database,
  question: SumQuestion,
  height: number | null,
  after: string | null,
): Promise<readonly Group[] | null> {
  const { answer } = await runBy(
    database,
    { text: textOf(question, height, after), variables: {} },
    after === null,
  );
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors).toBeUndefined();
  const at = height === null ? data : data.at;
  const of = question.parent === null ? at : at.of;
  return of === null ? null : of.list.sums;
}
