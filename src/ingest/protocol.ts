import { accountTypes, depositStatuses, proposalStates, voteValues } from '../domain/enumerations.ts';
import { proposalErrors } from './proposal-errors.ts';
import { asset, market, marketData, riskFactor } from './protocol-markets.ts';
import {
  enumeration,
  field,
  int64,
  type MessageType,
  member,
  message,
  oneof,
  optional,
  text,
  uint32,
  uint64,
} from './wire.ts';

/**
 * The network's messages, as far as the gateway reads them: field numbers and types of the network's protocol,
 * release 0.71.4. The values are as sent; `decode.ts` turns them into our terms.
 */
const deposit = message('Deposit', {
  id: field(1, text),
  status: field(2, enumeration('Deposit.Status', depositStatuses)),
  partyId: field(3, text),
  asset: field(4, text),
  amount: field(5, text),
  txHash: field(6, text),
  creditedTimestamp: field(7, int64),
  createdTimestamp: field(8, int64),
});

const account = message('Account', {
  id: field(1, text),
  owner: field(2, text),
  balance: field(3, text),
  asset: field(4, text),
  marketId: field(5, text),
  type: field(6, enumeration('AccountType', accountTypes)),
});

const party = message('Party', { id: field(1, text) });

const rewardPayout = message('RewardPayoutEvent', {
  party: field(1, text),
  epochSeq: field(2, text),
  asset: field(3, text),
  amount: field(4, text),
  percentOfTotalReward: field(5, text),
  timestamp: field(6, int64),
  rewardType: field(7, text),
  market: field(8, text),
});

const marginLevels = message('MarginLevels', {
  maintenanceMargin: field(1, text),
  searchLevel: field(2, text),
  initialMargin: field(3, text),
  collateralReleaseLevel: field(4, text),
  partyId: field(5, text),
  marketId: field(6, text),
  asset: field(7, text),
  timestamp: field(8, int64),
});

const proposal = message('Proposal', {
  id: field(1, text),
  reference: field(2, text),
  partyId: field(3, text),
  state: field(4, enumeration('Proposal.State', proposalStates)),
  timestamp: field(5, int64),
  reason: optional(7, enumeration('ProposalError', proposalErrors)),
  errorDetails: optional(8, text),
  requiredParticipation: field(10, text),
  requiredMajority: field(11, text),
  requiredLiquidityProviderParticipation: optional(12, text),
  requiredLiquidityProviderMajority: optional(13, text),
});

const vote = message('Vote', {
  partyId: field(1, text),
  value: field(2, enumeration('Vote.Value', voteValues)),
  proposalId: field(3, text),
  timestamp: field(4, int64),
  totalGovernanceTokenBalance: field(5, text),
  totalGovernanceTokenWeight: field(6, text),
  totalEquityLikeShareWeight: field(7, text),
});

const beginBlock = message('BeginBlock', {
  height: field(1, uint64),
  timestamp: field(2, int64),
  hash: field(3, text),
});

const endBlock = message('EndBlock', { height: field(1, uint64) });

const protocolUpgradeStarted = message('ProtocolUpgradeStarted', { lastBlockHeight: field(1, uint64) });

/** The envelope of every event. `type` is its kind by number; kinds that are not kept have no `event`. */
export const busEvent = message('BusEvent', {
  id: field(1, text),
  block: field(2, text),
  type: field(3, uint32),
  version: field(4, uint32),
  chainId: field(5, text),
  txHash: field(6, text),
  event: oneof({
    account: member(105, account),
    party: member(106, party),
    marginLevels: member(108, marginLevels),
    proposal: member(109, proposal),
    vote: member(110, vote),
    marketData: member(111, marketData),
    marketCreated: member(116, market),
    asset: member(117, asset),
    deposit: member(120, deposit),
    riskFactor: member(122, riskFactor),
    marketUpdated: member(125, market),
    rewardPayout: member(134, rewardPayout),
    beginBlock: member(148, beginBlock),
    endBlock: member(149, endBlock),
    protocolUpgradeStarted: member(150, protocolUpgradeStarted),
  }),
});

export type BusEvent = MessageType<typeof busEvent>;
export type BusEventPayload = NonNullable<BusEvent['event']>;

/** The `type` that each kept event carries in its envelope. */
export const busEventTypes = {
  account: 6,
  party: 7,
  marginLevels: 9,
  proposal: 10,
  vote: 11,
  marketData: 12,
  marketCreated: 17,
  asset: 18,
  deposit: 21,
  riskFactor: 23,
  marketUpdated: 26,
  rewardPayout: 34,
  beginBlock: 49,
  endBlock: 50,
  protocolUpgradeStarted: 51,
} as const satisfies Record<BusEventPayload['name'], number>;

export type PayloadOf<Name extends BusEventPayload['name']> = Extract<
  BusEventPayload,
  { readonly name: Name }
>['value'];
