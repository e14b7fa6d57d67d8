import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.ts';
import { PartyMetadataShape } from './parties.ts';
import { has, listOf, object, text } from './shape.ts';

/* The rows of kinds that `changes` tells of and that no path of their own has in that form. */

/** What a party says of itself changes, and comes as `partyProfiles`. */
export const NamedPartyFields = graphql(`fragment NamedPartyFields on Party { id }`);

export const NamedPartyShape = object<ResultOf<typeof NamedPartyFields>>(
  'NamedParty',
  'A participant in the network, named for the first time. What it says of itself comes as `partyProfiles`.',
  { id: has('The public key of the party; `network` for the network itself.', text, ({ id }) => id) },
);

export const PartyProfileFields = graphql(`
  fragment PartyProfileFields on PartyProfile { partyId alias metadata { key value } }
`);

export const PartyProfileShape = object<ResultOf<typeof PartyProfileFields>>(
  'PartyProfile',
  'What a party says of itself. The network does not check it.',
  {
    partyId: has('The public key of the party.', text, ({ partyId }) => partyId),
    alias: has('The name that the party goes by. May be empty.', text, ({ alias }) => alias),
    metadata: has(
      'A list of whatever else the party says of itself, in its order.',
      listOf(PartyMetadataShape),
      ({ metadata }) => metadata,
    ),
  },
);

export const RiskFactorFields = graphql(`fragment RiskFactorFields on RiskFactor { marketId short long }`);

export const ProposalFields = graphql(`
  fragment ProposalFields on Proposal {
    id partyId reference state timestamp requiredParticipation requiredMajority
    requiredLiquidityProviderParticipation requiredLiquidityProviderMajority reason errorDetails batchId
    terms { closingTimestamp enactmentTimestamp validationTimestamp change }
    batchTerms { closingTimestamp changes { enactmentTimestamp validationTimestamp change } }
  }
`);

export const MarginLevelFields = graphql(`
  fragment MarginLevelFields on MarginLevel {
    maintenanceMargin searchLevel initialMargin collateralReleaseLevel partyId marketId asset timestamp
    orderMargin marginMode marginFactor
  }
`);
