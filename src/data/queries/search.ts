import { MAX_ID_LENGTH } from '../../domain/ids.ts';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { dependsOnNoun } from '../noun-tags.ts';
import { assets } from '../nouns/assets.ts';
import { deposits } from '../nouns/deposits.ts';
import { markets } from '../nouns/markets.ts';
import { parties } from '../nouns/parties.ts';
import { proposals } from '../nouns/proposals.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql, unionAll } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** A kind of thing that is searched: its noun, and by what. Each field has an index that begins with it. */
interface Searched {
  readonly noun: AnyNoun;
  readonly by: Readonly<Record<string, string>>;
}

/** What is searched, in the order in which it is found. */
export const SEARCHED = {
  PARTY: { noun: parties as AnyNoun, by: { ID: 'id' } },
  ASSET: { noun: assets as AnyNoun, by: { ID: 'id', SYMBOL: 'symbol', NAME: 'name' } },
  MARKET: {
    noun: markets as AnyNoun,
    by: { ID: 'id', CODE: 'instrumentCode', NAME: 'instrumentName' },
  },
  PROPOSAL: { noun: proposals as AnyNoun, by: { ID: 'id', REFERENCE: 'reference' } },
  DEPOSIT: { noun: deposits as AnyNoun, by: { ID: 'id' } },
} as const satisfies Readonly<Record<string, Searched>>;

export type SearchedKind = keyof typeof SEARCHED;

/** A thing that was found, by the first of its texts that begins with what was looked for. */
export interface Found {
  readonly kind: SearchedKind;
  readonly id: string;
  /** By which of its texts, and that text. */
  readonly matched: string;
  readonly value: string;
  /** Whether the text is what was looked for, and goes on no further. */
  readonly isExact: boolean;
}

/**
 * The first things one of whose texts begins with a text, of at most `MAX_ID_LENGTH` characters: exact ones first, then by kind, by
 * which text it is, and by the texts. Identifiers have to be as they are, and where they are of hexadecimal digits in either case.
 */
export async function search(
  statements: Statements,
  text: string,
  kinds: readonly SearchedKind[],
  limit: number,
): Promise<readonly Found[]> {
  const fields = Object.entries<Searched>(SEARCHED).flatMap(([kind, { noun, by }]) =>
    Object.entries(by).map(([matched, field]) => ({ kind, noun, matched, field })),
  );
  const branches = fields.flatMap(({ kind, noun, matched, field }, place) =>
    kinds.includes(kind as SearchedKind)
      ? needlesOf(field, text).map((needle) => {
          const tell = sql`${kind} AS kind, ${matched} AS matched, ${place} AS place`;
          return sql`SELECT ${tell}, ${beginning(noun, field, needle, limit)}`;
        })
      : [],
  );
  if (branches.length === 0) return [];
  const found = await statements.rows<Found>(
    statementOf(
      sql`SELECT kind, id, matched, value, "isExact" FROM (${unionAll(branches)}) AS found
        ORDER BY "isExact" DESC, place, folded USING ~<~, position`,
      kinds.flatMap((kind) => dependsOnNoun(SEARCHED[kind].noun)),
    ),
  );
  const first = new Map<string, Found>();
  for (const one of found) if (!first.has(`${one.kind} ${one.id}`)) first.set(`${one.kind} ${one.id}`, one);
  return [...first.values()].slice(0, limit);
}

/** The first rows that have a text in a field which begins with another, from the select list on. Texts are compared by their bytes. */
function beginning({ table }: AnyNoun, field: string, needle: Sql, limit: number): Sql {
  const value = raw(`t.${columnOf(field)}`);
  const isId = field === 'id';
  const whole = isId ? value : sql`lower(${value})`;
  const folded = isId ? value : sql`lower(left(${value}, ${raw(`${MAX_ID_LENGTH}`)}))`;
  return sql`t.id, ${value} AS value, ${whole} = ${needle} AS "isExact", ${folded} AS folded, t.created_position AS position
    FROM ${table.name} AS t
    WHERE ${folded} ~>=~ ${needle} AND ${folded} ~<~ (${needle} || ${LAST})
    ORDER BY ${folded} USING ~<~${raw(isId ? '' : ', t.created_position')} LIMIT ${limit}`;
}

/** No character comes after it. */
const LAST = '\u{10FFFF}';

/** The texts that a field has to begin with, one of them. */
function needlesOf(field: string, text: string): readonly Sql[] {
  if (field !== 'id') return [sql`lower(${text}::text)`];
  const texts = new Set([text, /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text]);
  return [...texts].map((one) => sql`${one}::text`);
}
