import { accountLog, blockLog, depositLog, marketDataLog, rewardLog, voteLog } from '../data/change-logs.ts';
import { givenValues } from '../data/conditions.ts';
import type { Wanted } from './filter-index.ts';
import type { Topic } from './hub.ts';

/** What can be followed, and what each filter chooses by. */
export const accountTopic = topic(
  accountLog,
  ({ partyIds, marketIds, assetId, accountTypes }) => [
    givenValues(partyIds),
    givenValues(marketIds),
    givenValues(assetId),
    givenValues(accountTypes),
  ],
  ({ owner, marketId, assetId, type }) => [owner, marketId, assetId, type],
);

export const marketDataTopic = topic(
  marketDataLog,
  ({ marketIds }) => [givenValues(marketIds)],
  ({ marketId }) => [marketId],
);

export const depositTopic = topic(
  depositLog,
  ({ partyId }) => [givenValues(partyId)],
  ({ partyId }) => [partyId],
);

export const rewardTopic = topic(
  rewardLog,
  ({ partyId }) => [givenValues(partyId)],
  ({ partyId }) => [partyId],
);

export const voteTopic = topic(
  voteLog,
  ({ proposalId, partyId }) => [givenValues(proposalId), givenValues(partyId)],
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
