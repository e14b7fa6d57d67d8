import { givenValues } from '../data/conditions.ts';
import { blockLog, type ChangeLog, changeLogOf } from '../data/history/change-logs.ts';
import { changedRows } from '../data/history/changed-rows.ts';
import { type AnyNoun, fieldsIn, type Noun, type Positioned } from '../data/noun.ts';
import type { Wanted } from './filter-index.ts';

/** What can be followed: a noun that has a history, or the blocks. */
export interface Topic<Row extends Positioned, Filter> {
  readonly log: ChangeLog<Row, Filter>;
  /** What a filter can choose by, for a filter and for a row, in the same order. */
  readonly wanted: (filter: Filter) => Wanted;
  /** Of a row that has several values in what a filter chooses by, as a trade has two parties: each combination. */
  readonly valuesOf: (row: Row) => readonly (readonly string[])[];
}

/** The topic of a noun, one and the same for all who follow it. */
export function topicOf<Row extends Positioned, Filter>(noun: Noun<Row, Filter>): Topic<Row, Filter> {
  const known = topics.get(noun) as Topic<Row, Filter> | undefined;
  const topic = known ?? createTopic(changeLogOf(noun), noun.by, noun.either);
  topics.set(noun, topic);
  return topic;
}

export const blockTopic = createTopic(blockLog, {});

/** The changes of several nouns. */
export const changesTopic = createTopic(
  changedRows,
  { nouns: 'noun', partyIds: 'parties', marketIds: 'market', assetIds: 'asset' },
  { parties: ['party', 'otherParty'] },
);

const topics = new WeakMap<object, unknown>();

function createTopic<Row extends Positioned, Filter>(
  log: ChangeLog<Row, Filter>,
  by: Readonly<Record<string, string>>,
  either: AnyNoun['either'] = {},
): Topic<Row, Filter> {
  const parts = Object.keys(by) as (keyof Filter)[];
  const combinations = Object.values(by).reduce<readonly (readonly string[])[]>(
    (all, field) => all.flatMap((one) => fieldsIn({ either }, field).map((each) => [...one, each])),
    [[]],
  ) as readonly (readonly (keyof Row)[])[];
  return {
    log,
    wanted: (filter) => parts.map((part) => givenValues(filter[part] as Parameters<typeof givenValues>[0])),
    valuesOf: (row) => combinations.map((fields) => fields.map((field) => String(row[field]))),
  };
}

/** Where there are several topics, only that each has types of its own counts. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnyTopic = Topic<any, any>;
