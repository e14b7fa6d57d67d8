import { AssetList } from './lists/assets.tsx';
import { DepositList } from './lists/deposits.tsx';
import { ProposalList } from './lists/proposals.tsx';
import { RewardList } from './lists/rewards.tsx';
import { TradeList } from './lists/trades.tsx';
import { VoteList } from './lists/votes.tsx';

/** What is new in the network, each as a list that goes on as far as its reader wants. */
export function Newest() {
  return (
    <div class="three newest">
      <DepositList title="Newest deposits" isShort />
      <RewardList title="Newest rewards" isShort />
      <VoteList title="Newest votes" isShort />
      <TradeList title="Newest trades" isShort />
      <ProposalList title="Newest proposals" isShort />
      <AssetList />
    </div>
  );
}
