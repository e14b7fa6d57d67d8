import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { shorten } from '../link.tsx';
import { AccountList } from '../lists/accounts.tsx';
import { DepositList } from '../lists/deposits.tsx';
import { MarginLevelList } from '../lists/margin-levels.tsx';
import { ProposalList } from '../lists/proposals.tsx';
import { RewardList } from '../lists/rewards.tsx';
import { TradeList } from '../lists/trades.tsx';
import { VoteList } from '../lists/votes.tsx';
import { Plot } from '../plot.tsx';
import { Found } from '../state.tsx';
import { RewardSums } from '../sums/reward-sums.tsx';

const PartyPage = graphql(`
  query PartyPage($at: Uint64, $id: ID!) {
    asOf(height: $at) { party(id: $id) { id profile { alias } } }
  }
`);

/** A party: what it has, needs, was rewarded, and did. */
export function PartyPlace({ id }: { readonly id: string }) {
  const asked = useAsked(PartyPage, { id }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.party} what="party">
      {({ profile }) => (
        <>
          <Heading kind="Party" name={profile?.alias || shorten(id)} id={id} />
          <AccountList partyId={id} />
          <Plot
            id="balances"
            title="Balances over time"
            draw={({ BalancePanel }) => <BalancePanel partyId={id} />}
          />
          <MarginLevelList partyId={id} />
          <Plot
            id="rewards-plot"
            title="Rewards by epoch"
            draw={({ RewardsPanel }) => <RewardsPanel partyId={id} />}
          />
          <div class="pair even">
            <RewardSums partyId={id} />
            <RewardList partyId={id} title="Rewards, newest first" />
          </div>
          <TradeList partyId={id} />
          <div class="pair even">
            <DepositList partyId={id} />
            <VoteList partyId={id} />
          </div>
          <ProposalList partyId={id} />
        </>
      )}
    </Found>
  );
}
