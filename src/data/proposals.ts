import { isOneOf } from './conditions.ts';
import { Prisma, type Proposal, type ProposalState } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface ProposalFilter {
  readonly partyId?: string | null | undefined;
  readonly states?: readonly ProposalState[] | null | undefined;
}

export const proposals: List<Proposal, ProposalFilter> = {
  name: 'proposals',
  table: describeTable('proposals', Prisma.ProposalScalarFieldEnum),
  indexes: [['party_id', 'state'], ['party_id'], ['state'], []],
  conditions: ({ partyId, states }) => [
    ...isOneOf('party_id', partyId),
    ...isOneOf('state', states, 'proposal_state'),
  ],
};
