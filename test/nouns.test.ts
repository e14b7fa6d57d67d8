import { existsSync, readFileSync } from 'node:fs';
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { columnOf } from '../src/data/columns.ts';
import { FOLLOWED, type FollowedName } from '../src/data/history/changed-rows.ts';
import type { Noun } from '../src/data/noun.ts';
import { tagFieldsOf } from '../src/data/noun-tags.ts';
import { nouns } from '../src/data/nouns/index.ts';
import { schema } from '../src/graphql/index.ts';
import { createTestDatabase } from './support/database.ts';
import { ask } from './support/state.ts';

/** What lists alone choose by, as it changes: streams refuse it. */
const REFUSED = ['balanceFrom', 'balanceTo'];
const NOUNS = Object.entries<Pick<Noun, 'name' | 'model' | 'table' | 'changing' | 'by' | 'key'>>(nouns);
const LINES = /^\| `type` \|[\s\S]*?\n\n/m.exec(readFileSync('docs/feeding.md', 'utf8'))?.[0] ?? '';
const OF_EVERY_STREAM = ['after', 'progress'];
const subscriptions = schema.getSubscriptionType()?.getFields() ?? {};

describe('what types do not hold together of a noun', () => {
  let columns: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    await using database = await createTestDatabase();
    columns = await readColumns(database.url);
  });

  test.each(NOUNS)('%s', (event, { name, model, table, by }) => {
    const file = columnOf(name).replaceAll('_', '-');
    const files = ['data/nouns/*.ts', 'ingest/nouns/*.ts', 'ingest/protocol/*.proto'];
    const paths = files.map((path) => `src/${path.replace('*', file)}`);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    expect(columns.get(columnOf(name))).toEqual(table.fields.map(columnOf).sort());

    const type = schema.getType(model);
    expect(isObjectType(type)).toBe(true);
    expect(type?.extensions['pothosPrismaModel']).toBe(model);
    expect(LINES).toContain(`\n| \`${event}\` |`);

    // What a stream is filtered by and its record does not have would choose nothing.
    expect(filtersOf(name).filter((part) => !(part in by) && !REFUSED.includes(part))).toEqual([]);
  });

  test('and streams are of nouns whose filters choose by what never changes, and of blocks', () => {
    const names = NOUNS.map(([, { name }]) => name);
    const read = [
      'marketSeries',
      'balanceSeries',
      'accountSums',
      'depositSums',
      'rewardSums',
      'proposalTally',
    ];
    const others = ['blocks', 'changes', ...read];
    expect([...names, ...others]).toEqual(expect.arrayContaining(Object.keys(subscriptions)));
    for (const [, { name, by, changing }] of NOUNS)
      expect(filtersOf(name).filter((part) => changing.includes(by[part] ?? ''))).toEqual([]);
    // Of several nouns, each is chosen by what never changes in its rows.
    for (const [, noun] of NOUNS) {
      const chosen: readonly string[] = Object.values(FOLLOWED[noun.name as FollowedName] ?? {});
      expect(tagFieldsOf(noun)).toEqual(expect.arrayContaining(chosen as string[]));
    }
  });
});

/** The columns of each table of a database. */
async function readColumns(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await ask<{ table: string; columns: string[] }>(
    url,
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY column_name COLLATE "C") AS columns
    FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** What a subscription can be filtered by: its arguments, and the parts of the one that is named `filter`. */
function filtersOf(subscription: string): readonly string[] {
  const args = (subscriptions[subscription]?.args ?? []).filter(
    ({ name }) => !OF_EVERY_STREAM.includes(name),
  );
  return args.flatMap(({ name, type }) => {
    const input = getNamedType(type);
    return name === 'filter' && isInputObjectType(input) ? Object.keys(input.getFields()) : [name];
  });
}
