import { fromAsset, fromMarket, fromMarketData, fromRiskFactor } from './decode-markets.ts';
import type { NetworkEvent } from './events.ts';
import { type BusEvent, type BusEventPayload, busEvent, busEventTypes, type PayloadOf } from './protocol.ts';
import { decimal, exactText, id, integer, optionalMarketId, partyId, percentage, uint63 } from './values.ts';

/** The one version of the envelope that the network speaks at release 0.71. */
const ENVELOPE_VERSION = 1;

const keptTypes = new Map(Object.entries(busEventTypes).map(([name, type]) => [type as number, name]));

/**
 * One event of the network as its core sends it (the bytes of a BusEvent), in our terms, with the chain that it
 * is of. Throws an Error that says what is wrong when the bytes are no such event or hold a value that cannot
 * be kept; kinds of events that the gateway does not keep come out as `other`, unread.
 */
export function decodeEvent(bytes: Uint8Array): { readonly chainId: string; readonly event: NetworkEvent } {
  const envelope = busEvent.decode(bytes);
  checkEnvelope(envelope);
  return { chainId: exactText('chainId', envelope.chainId), event: fromPayload(envelope.event) };
}

function checkEnvelope({ version, chainId, type, event }: BusEvent): void {
  if (version !== ENVELOPE_VERSION) {
    throw new Error(`the event has version ${version}; only ${ENVELOPE_VERSION} is known`);
  }
  if (chainId === '') throw new Error('the event names no chain');
  const announced = keptTypes.get(type);
  if (announced !== event?.name) {
    throw new Error(
      `the event is announced as ${announced ?? `type ${type}`} but holds ${event?.name ?? 'none'}`,
    );
  }
}

function fromPayload(payload: BusEventPayload | null): NetworkEvent {
  switch (payload?.name) {
    case undefined:
      return { type: 'other' };
    case 'beginBlock':
      return fromBeginBlock(payload.value);
    case 'endBlock':
      return { type: 'endBlock', height: Number(payload.value.height) };
    case 'protocolUpgradeStarted':
      return { type: 'upgradeStarted' };
    case 'party':
      return { type: 'party', row: { id: partyId('id', payload.value.id) } };
    case 'asset':
      return fromAsset(payload.value);
    case 'marketCreated':
    case 'marketUpdated':
      return fromMarket(payload.value);
    case 'riskFactor':
      return fromRiskFactor(payload.value);
    case 'marketData':
      return fromMarketData(payload.value);
    case 'account':
      return fromAccount(payload.value);
    case 'deposit':
      return fromDeposit(payload.value);
    case 'rewardPayout':
      return fromReward(payload.value);
    case 'proposal':
      return fromProposal(payload.value);
    case 'vote':
      return fromVote(payload.value);
    case 'marginLevels':
      return fromMarginLevels(payload.value);
  }
}

function fromBeginBlock({ height, timestamp, hash }: PayloadOf<'beginBlock'>): NetworkEvent {
  return { type: 'beginBlock', height: Number(height), timestamp, hash: exactText('hash', hash) };
}

function fromAccount(account: PayloadOf<'account'>): NetworkEvent {
  return {
    type: 'account',
    row: {
      owner: partyId('owner', account.owner),
      assetId: id('asset', account.asset),
      marketId: optionalMarketId('marketId', account.marketId),
      type: account.type,
      balance: integer('balance', account.balance),
    },
  };
}

function fromDeposit(deposit: PayloadOf<'deposit'>): NetworkEvent {
  return {
    type: 'deposit',
    row: {
      id: id('id', deposit.id),
      partyId: partyId('partyId', deposit.partyId),
      assetId: id('asset', deposit.asset),
      amount: integer('amount', deposit.amount),
      status: deposit.status,
      txHash: deposit.txHash,
      createdTimestamp: deposit.createdTimestamp,
      creditedTimestamp: deposit.creditedTimestamp,
    },
  };
}

function fromReward(reward: PayloadOf<'rewardPayout'>): NetworkEvent {
  return {
    type: 'reward',
    row: {
      partyId: partyId('party', reward.party),
      assetId: id('asset', reward.asset),
      marketId: optionalMarketId('market', reward.market),
      epoch: uint63('epochSeq', reward.epochSeq),
      amount: integer('amount', reward.amount),
      percentageOfTotal: percentage('percentOfTotalReward', reward.percentOfTotalReward),
      receivedAt: reward.timestamp,
      rewardType: reward.rewardType,
    },
  };
}

function fromProposal(proposal: PayloadOf<'proposal'>): NetworkEvent {
  const {
    requiredLiquidityProviderParticipation: participation,
    requiredLiquidityProviderMajority: majority,
  } = proposal;
  return {
    type: 'proposal',
    row: {
      id: id('id', proposal.id),
      reference: proposal.reference,
      partyId: partyId('partyId', proposal.partyId),
      state: proposal.state,
      timestamp: proposal.timestamp,
      reason: proposal.reason,
      errorDetails: proposal.errorDetails,
      requiredParticipation: decimal('requiredParticipation', proposal.requiredParticipation),
      requiredMajority: decimal('requiredMajority', proposal.requiredMajority),
      requiredLiquidityProviderParticipation:
        participation === null ? null : decimal('requiredLiquidityProviderParticipation', participation),
      requiredLiquidityProviderMajority:
        majority === null ? null : decimal('requiredLiquidityProviderMajority', majority),
    },
  };
}

function fromVote(vote: PayloadOf<'vote'>): NetworkEvent {
  return {
    type: 'vote',
    row: {
      proposalId: id('proposalId', vote.proposalId),
      partyId: partyId('partyId', vote.partyId),
      value: vote.value,
      timestamp: vote.timestamp,
      totalGovernanceTokenBalance: decimal('totalGovernanceTokenBalance', vote.totalGovernanceTokenBalance),
      totalGovernanceTokenWeight: decimal('totalGovernanceTokenWeight', vote.totalGovernanceTokenWeight),
      totalEquityLikeShareWeight: decimal('totalEquityLikeShareWeight', vote.totalEquityLikeShareWeight),
    },
  };
}

function fromMarginLevels(levels: PayloadOf<'marginLevels'>): NetworkEvent {
  return {
    type: 'marginLevel',
    row: {
      partyId: partyId('partyId', levels.partyId),
      marketId: id('marketId', levels.marketId),
      assetId: id('asset', levels.asset),
      maintenanceMargin: decimal('maintenanceMargin', levels.maintenanceMargin),
      searchLevel: decimal('searchLevel', levels.searchLevel),
      initialMargin: decimal('initialMargin', levels.initialMargin),
      collateralReleaseLevel: decimal('collateralReleaseLevel', levels.collateralReleaseLevel),
      timestamp: levels.timestamp,
    },
  };
}
