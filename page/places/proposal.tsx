import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link, shorten } from '../link.tsx';
import { VoteList } from '../lists/votes.tsx';
import { Panel } from '../panel.tsx';
import { Plot } from '../plot.tsx';
import { Found } from '../state.tsx';
import { Name, Time } from '../values.tsx';

const ProposalPage = graphql(`
  query ProposalPage($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      proposal(id: $id) {
        id reference partyId state timestamp reason errorDetails batchId
        terms { change closingTimestamp enactmentTimestamp validationTimestamp }
        batchTerms { closingTimestamp changes { change enactmentTimestamp } }
      }
    }
  }
`);

type Proposal = NonNullable<NonNullable<ResultOf<typeof ProposalPage>['asOf']>['proposal']>;

/** A proposal: what it would change, and who is for it. */
export function ProposalPlace({ id }: { readonly id: string }) {
  const asked = useAsked(ProposalPage, { id }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.proposal} what="proposal">
      {(proposal) => (
        <>
          <Heading kind="Proposal" name={proposal.reference || shorten(proposal.id)} id={proposal.id} />
          <div class="pair even">
            <Panel id="terms" title="Terms" asked={asked}>
              <Terms proposal={proposal} />
            </Panel>
            <Plot id="tally" title="Tally" draw={({ TallyPanel }) => <TallyPanel proposalId={id} />} />
          </div>
          <VoteList proposalId={id} />
        </>
      )}
    </Found>
  );
}

/** Of a batch, each has a time of its own. */
interface Change {
  readonly change: string | null;
  readonly enactmentTimestamp?: string;
}

function Terms({ proposal }: { readonly proposal: Proposal }) {
  const { terms, batchTerms } = proposal;
  const changes: readonly Change[] = batchTerms?.changes ?? [{ change: terms?.change ?? null }];
  return (
    <Facts
      facts={[
        ['State', <Name of={proposal.state} after="STATE_" />],
        [
          'Changes',
          changes.map(({ change, enactmentTimestamp }) => (
            <div>
              <Name of={change ?? 'something unknown'} after="CHANGE_" /> {timeOf(enactmentTimestamp)}
            </div>
          )),
        ],
        ['Proposed by', <Link kind="party" id={proposal.partyId} />],
        ['Part of', proposal.batchId && <Link kind="proposal" id={proposal.batchId} />],
        ['Proposed', <Time of={proposal.timestamp} />],
        ['Validation ends', timeOf(terms?.validationTimestamp)],
        ['Voting ends', timeOf(batchTerms?.closingTimestamp ?? terms?.closingTimestamp)],
        ['Enactment', timeOf(terms?.enactmentTimestamp)],
        ['Refused because', proposal.reason && <Name of={proposal.reason} after="PROPOSAL_ERROR_" />],
        ['Details', proposal.errorDetails],
      ]}
    />
  );
}

function timeOf(time: string | undefined) {
  return time === undefined || time === '0' ? null : <Time of={time} />;
}
