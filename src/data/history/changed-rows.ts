import { type Condition, givenValues } from '../conditions.ts';
import { type AnyNoun, fieldsIn, type Noun, type Positioned } from '../noun.ts';
import { nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { type ChangeLog, changeLogOf, type StatePage } from './change-logs.ts';
import type { Change, ChangePage, Range } from './change-pages.ts';

/*
 * The changes of several nouns as one history, in the order of their positions: who follows them sees whole blocks. A row
 * is known by its noun and its position.
 */

/**
 * The nouns that can be followed together, in the order of a snapshot; and by which field each part of a filter chooses
 * rows of a noun, where that never changes in a row.
 */
export const FOLLOWED = {
  parties: { partyIds: 'id' },
  assets: { assetIds: 'id' },
  markets: { marketIds: 'id' },
  riskFactors: { marketIds: 'marketId' },
  marketData: { marketIds: 'marketId' },
  accounts: { partyIds: 'owner', marketIds: 'marketId', assetIds: 'assetId' },
  deposits: { partyIds: 'partyId' },
  trades: { partyIds: 'party', marketIds: 'marketId' },
  rewards: { partyIds: 'partyId', marketIds: 'marketId', assetIds: 'assetId' },
  proposals: {},
  votes: { partyIds: 'partyId' },
  marginLevels: { partyIds: 'partyId', marketIds: 'marketId' },
  // Behind all others: cursors within a snapshot count the kinds before their own.
  partyProfiles: { partyIds: 'partyId' },
} as const satisfies Readonly<Record<string, Chosen>>;

type Chosen = Readonly<Partial<Record<Part, string>>>;
type Part = 'partyIds' | 'marketIds' | 'assetIds';

export type FollowedName = keyof typeof FOLLOWED;

export const followedNames = Object.keys(FOLLOWED) as readonly FollowedName[];

/** The parts of a filter by which rows of a noun can be chosen. */
export function partsOf(name: FollowedName): readonly string[] {
  return Object.keys(FOLLOWED[name]);
}

/** A row of any of them. */
export interface ChangedRow extends Positioned {
  readonly noun: FollowedName;
  readonly row: Positioned;
  /** What the row is about; empty where it is about none. */
  readonly party: string;
  /** Of a row about two parties the second; of any other the same. */
  readonly otherParty: string;
  readonly market: string;
  readonly asset: string;
}

/** The nouns that are wanted, and of their rows those about these parties, markets and assets; null is all of them. */
export interface ChangedFilter {
  readonly nouns?: readonly FollowedName[] | null | undefined;
  readonly partyIds?: readonly string[] | null | undefined;
  readonly marketIds?: readonly string[] | null | undefined;
  readonly assetIds?: readonly string[] | null | undefined;
}

export const changedRows: ChangeLog<ChangedRow, ChangedFilter> = {
  name: 'changes',
  isTrimmed: true,

  async readChanges(statements, filter, range): Promise<ChangePage<ChangedRow>> {
    const found: Change<ChangedRow>[] = [];
    let reached = range.upTo;
    let lookedUp = 0;
    // One after the other: a reader takes one connection.
    for (const one of wantedOf(filter)) {
      const page = await one.readChanges(statements, filter, { ...range, upTo: reached });
      for (const change of page.changes) found.push(change);
      reached = page.reached;
      lookedUp += page.lookedUp ?? 0;
    }
    const known = found
      .filter(({ position }) => position <= reached)
      .sort((a, b) => Number(a.position - b.position));
    const last = known[range.limit - 1]?.position;
    if (last === undefined) return { changes: known, reached, lookedUp };
    // One event can change rows of two nouns: they stay together.
    return { changes: known.filter(({ position }) => position <= last), reached: last, lookedUp };
  },

  async readState(statements, filter, page): Promise<readonly ChangedRow[]> {
    const rows: ChangedRow[] = [];
    for (const one of wantedOf(filter)) {
      const limit = page.limit - rows.length;
      if (limit <= 0) break;
      if (page.afterRow < one.end)
        rows.push(...(await one.readState(statements, filter, { ...page, limit })));
    }
    return rows;
  },
};

/** A noun as one of several. */
class Followed {
  readonly name: FollowedName;
  /** The places of its rows in a snapshot: after this one, up to `end`. */
  readonly start: bigint;
  readonly end: bigint;
  readonly #noun: AnyNoun;
  readonly #chosen: Chosen;
  readonly #log: ChangeLog<Positioned, readonly Condition[]>;

  constructor(name: FollowedName, noun: Noun<Positioned, unknown>, place: number) {
    this.name = name;
    this.#noun = noun;
    this.#chosen = FOLLOWED[name];
    this.start = BigInt(place) << POSITION_BITS;
    this.end = BigInt(place + 1) << POSITION_BITS;
    this.#log = changeLogOf({ ...noun, conditions: (given: readonly Condition[]) => given } as never);
  }

  async readChanges(
    statements: Statements,
    filter: ChangedFilter,
    range: Range,
  ): Promise<ChangePage<ChangedRow>> {
    const { changes, ...page } = await this.#log.readChanges(statements, this.#conditions(filter), range);
    return { ...page, changes: changes.map(({ position, row }) => ({ position, row: this.#name(row) })) };
  }

  async readState(
    statements: Statements,
    filter: ChangedFilter,
    { afterRow, ...page }: StatePage,
  ): Promise<readonly ChangedRow[]> {
    const own = { ...page, afterRow: afterRow < this.start ? -1n : afterRow - this.start };
    const rows = await this.#log.readState(statements, this.#conditions(filter), own);
    return rows.map((row) => this.#name(row));
  }

  #name(row: Positioned): ChangedRow {
    const values = row as unknown as Readonly<Record<string, unknown>>;
    const fieldsOf = (part: Part) => fieldsIn(this.#noun, this.#chosen[part] ?? '');
    const valueIn = (part: Part) => String(values[fieldsOf(part)[0] ?? ''] ?? '');
    return {
      noun: this.name,
      row,
      createdPosition: this.start + row.createdPosition,
      party: valueIn('partyIds'),
      otherParty: String(values[fieldsOf('partyIds').at(-1) ?? ''] ?? ''),
      market: valueIn('marketIds'),
      asset: valueIn('assetIds'),
    };
  }

  /** Of a noun that has nothing of what is asked for no row passes. */
  #conditions(filter: ChangedFilter): readonly Condition[] {
    return (['partyIds', 'marketIds', 'assetIds'] as const).flatMap((part): readonly Condition[] => {
      const [values, field] = [givenValues(filter[part]), this.#chosen[part]];
      if (values === null) return [];
      return field === undefined ? NOTHING : [{ ...this.#noun.fieldOf(field), values }];
    });
  }
}

/** Positions lie below 2^53. */
const POSITION_BITS = 53n;

const NOTHING: readonly Condition[] = [{ field: 'createdPosition', least: 1n, most: 0n }];

const byName = new Map(Object.values<AnyNoun>(nouns).map((noun) => [noun.name, noun]));

const followed = Object.fromEntries(
  followedNames.map((name, place) => [name, new Followed(name, byName.get(name) as never, place)]),
) as Readonly<Record<FollowedName, Followed>>;

function wantedOf({ nouns: wanted }: ChangedFilter): readonly Followed[] {
  const names = wanted ?? followedNames;
  return followedNames.flatMap((name) => (names.includes(name) ? [followed[name]] : []));
}

/** How many rows there are of each noun, also of those of which there are none. */
export function countByNoun(rows: readonly ChangedRow[]): ReadonlyMap<FollowedName, number> {
  const counts = new Map(followedNames.map((name) => [name, 0]));
  for (const { noun } of rows) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  return counts;
}
