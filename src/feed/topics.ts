import { accountLog, blockLog, depositLog, marketDataLog, rewardLog, voteLog } from '../data/change-logs.ts';
import type { Wanted } from './filter-index.ts';
import type { Topic } from './hub.ts';

/** What can be followed, and what each filter chooses by. */
export const accountTopic = topic(
  accountLog,
  ({ partyIds, marketIds, assetId, accountTypes }) => [
    anyOf(partyIds),
    anyOf(marketIds),
    anyOf(assetId),
    anyOf(accountTypes),
  ],
  ({ owner, marketId, assetId, type }) => [owner, marketId, assetId, type],
);

export const marketDataTopic = topic(
  marketDataLog,
  ({ marketIds }) => [anyOf(marketIds)],
  ({ marketId }) => [marketId],
);

export const depositTopic = topic(
  depositLog,
  ({ partyId }) => [anyOf(partyId)],
  ({ partyId }) => [partyId],
);

export const rewardTopic = topic(
  rewardLog,
  ({ partyId }) => [anyOf(partyId)],
  ({ partyId }) => [partyId],
);

export const voteTopic = topic(
  voteLog,
  ({ proposalId, partyId }) => [anyOf(proposalId), anyOf(partyId)],
  ({ proposalId, partyId }) => [proposalId, partyId],
);

export const blockTopic = topic(
  blockLog,
  () => [],
  () => [],
);

function topic<Row extends { readonly createdPosition: bigint }, Filter extends object>(
  log: Topic<Row, Filter>['log'],
  wanted: (filter: Filter) => Wanted,
  valuesOf: (row: Row) => readonly string[],
): Topic<Row, Filter> {
  // Every filter is a record of conditions that may all be left out.
  return { log, everything: {} as Filter, wanted, valuesOf };
}

/** As lists take it: no value, and an empty list of them, let everything through. */
function anyOf(values: string | readonly string[] | null | undefined): readonly string[] | null {
  const given = typeof values === 'string' ? [values] : (values ?? []);
  return given.length === 0 ? null : given;
}
