import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Nothing, Shown } from './shown.tsx';
import { Tally } from './tally.tsx';

const TallyOfProposal = graphql(`
  query TallyOfProposal($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      proposal(id: $id) {
        state
        tally {
          majority requiredMajority requiredParticipation
          liquidityProviderMajority liquidityProviderParticipation
          requiredLiquidityProviderMajority requiredLiquidityProviderParticipation
          yes { votes tokens } no { votes tokens }
        }
      }
    }
  }
`);

/** How the votes on a proposal stand as of the block that is shown. */
export function TallyPanel({ proposalId }: { readonly proposalId: string }) {
  const asked = useAsked(TallyOfProposal, { id: proposalId });
  return (
    <div class="plot-panel">
      <Shown asked={asked.value} what="votes">
        {({ asOf }) =>
          asOf?.proposal ? (
            <Tally tally={asOf.proposal.tally} state={`${asOf.proposal.state}`} />
          ) : (
            <Nothing>There is no such proposal.</Nothing>
          )
        }
      </Shown>
    </div>
  );
}
