import { Heading } from '../heading.tsx';
import { Link } from '../link.tsx';
import { RewardList } from '../lists/rewards.tsx';
import { Plot } from '../plot.tsx';
import { RewardSums } from '../sums/reward-sums.tsx';

/** An epoch: what it rewarded, and whom. */
export function EpochPlace({ id }: { readonly id: string }) {
  if (!/^\d{1,19}$/.test(id)) {
    return (
      <p role="alert" class="state-note">
        An epoch is a number, which “{id}” is not.
      </p>
    );
  }
  const [before, after] = [BigInt(id) - 1n, BigInt(id) + 1n];
  return (
    <>
      <Heading kind="Epoch" name={`Epoch ${id}`}>
        <nav class="links" aria-label="Other epochs">
          {before >= 0n && (
            <Link kind="epoch" id={`${before}`}>
              ← {`${before}`}
            </Link>
          )}
          <Link kind="epoch" id={`${after}`}>
            {`${after}`} →
          </Link>
        </nav>
      </Heading>
      <RewardSums epoch={id} />
      <RewardList epoch={id} />
      <Plot id="rewards-plot" title="Rewards of all epochs" draw={({ RewardsPanel }) => <RewardsPanel />} />
    </>
  );
}
