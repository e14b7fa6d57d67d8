import { isOneOf } from './conditions.ts';
import { Prisma, type Vote } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface VoteFilter {
  readonly proposalId?: string | null | undefined;
  readonly partyId?: string | null | undefined;
}

export const votes: List<Vote, VoteFilter> = {
  name: 'votes',
  table: describeTable('votes', Prisma.VoteScalarFieldEnum),
  indexes: [['proposal_id', 'party_id'], ['proposal_id'], ['party_id'], []],
  conditions: ({ proposalId, partyId }) => [
    ...isOneOf('proposal_id', proposalId),
    ...isOneOf('party_id', partyId),
  ],
};
