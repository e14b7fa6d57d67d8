import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link, shorten } from '../link.tsx';
import { VoteList } from '../lists/votes.tsx';
import { Panel } from '../panel.tsx';
import { percentOf } from '../percent.ts';
import { Plot } from '../plot.tsx';
import { Found } from '../state.tsx';
import { Table } from '../table.tsx';
import { Name, Time } from '../values.tsx';

const ProposalPage = graphql(`
  query ProposalPage($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      proposal(id: $id) {
        id reference partyId state timestamp reason errorDetails batchId
        terms { change closingTimestamp enactmentTimestamp validationTimestamp }
        batchTerms { closingTimestamp changes { change enactmentTimestamp } }
        tally {
          majority requiredMajority requiredParticipation
          yes { votes tokens weight } no { votes tokens weight }
        }
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
            <Panel id="tally" title="Tally" asked={asked}>
              <Tally proposal={proposal} />
            </Panel>
          </div>
          <Plot
            id="tally-plot"
            title="Tally and what it requires"
            draw={({ TallyPanel }) => <TallyPanel proposalId={id} />}
          />
          <VoteList proposalId={id} />
        </>
      )}
    </Found>
  );
}

function Terms({ proposal }: { readonly proposal: Proposal }) {
  const { terms, batchTerms } = proposal;
  const changes = batchTerms?.changes.map(({ change }) => change) ?? [terms?.change ?? null];
  return (
    <Facts
      facts={[
        ['State', <Name of={proposal.state} after="STATE_" />],
        [
          'Changes',
          changes.map((one) => (
            <div>
              <Name of={one ?? 'something unknown'} after="CHANGE_" />
            </div>
          )),
        ],
        ['Proposed by', <Link kind="party" id={proposal.partyId} />],
        ['Part of', proposal.batchId && <Link kind="proposal" id={proposal.batchId} />],
        ['Proposed', <Time of={proposal.timestamp} />],
        ['Voting ends', timeOf(batchTerms?.closingTimestamp ?? terms?.closingTimestamp)],
        ['Enactment', timeOf(terms?.enactmentTimestamp)],
        ['Refused because', proposal.errorDetails],
      ]}
    />
  );
}

function Tally({ proposal: { tally } }: { readonly proposal: Proposal }) {
  const sides = [
    { name: 'Yes', kind: 'yes', side: tally.yes },
    { name: 'No', kind: 'no', side: tally.no },
  ];
  return (
    <>
      <Table
        kind="list"
        columns={[['Vote'], ['Parties', 'number'], ['Share of tokens', 'number']]}
        rows={sides.map(({ name, kind, side }) => (
          <tr key={name}>
            <th scope="row" class={`vote ${kind}`}>
              {name}
            </th>
            <td class="number">{side.votes}</td>
            <td class="number">
              {side.tokens === '0' ? <span class="quiet">not counted yet</span> : percentOf(side.weight, 2)}
            </td>
          </tr>
        ))}
      />
      <Facts
        facts={[
          ['Majority', tally.majority === null ? 'nobody voted' : percentOf(tally.majority, 2)],
          ['Required majority', percentOf(tally.requiredMajority)],
          ['Required participation', percentOf(tally.requiredParticipation)],
        ]}
      />
    </>
  );
}

function timeOf(time: string | undefined) {
  return time === undefined || time === '0' ? null : <Time of={time} />;
}
