import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { type Bar, Bars } from './bars.tsx';
import { Nothing, Shown } from './shown.tsx';

const RewardsByEpoch = graphql(`
  query RewardsByEpoch($at: Uint64, $parties: [ID!], $most: Int) {
    asOf(height: $at) {
      rewards(first: 0, filter: { partyIds: $parties }) {
        sums(by: [EPOCH, ASSET], first: $most, orderBy: KEY_DESC) {
          amount key { epoch assetId asset { symbol decimals } }
        }
      }
    }
  }
`);

/** How many epochs are shown: the newest. */
const MOST_EPOCHS = 60n;
/** How many sums are asked for: where so many come, there are more. */
const MOST_SUMS = 600;

/** What a party, or without one the whole network, was rewarded in each epoch: a plot for each asset. */
export function RewardsPanel({ partyId }: { readonly partyId?: string }) {
  const parties = partyId === undefined ? [] : [partyId];
  const asked = useAsked(RewardsByEpoch, { parties, most: MOST_SUMS });
  return (
    <div class="plot-panel">
      <Shown asked={asked.value} what="rewards">
        {({ asOf }) => {
          const sums = wholeEpochs(asOf?.rewards.sums ?? []);
          const assets = [...byAsset(sums)].sort(([a], [b]) => (a < b ? -1 : 1));
          const epochs = epochsOf(sums);
          if (assets.length === 0) return <Nothing>No rewards yet.</Nothing>;
          return assets.map(([asset, ofAsset]) => {
            const unit = ofAsset[0]?.key.asset ?? { symbol: 'smallest units', decimals: 0 };
            return (
              <Bars
                key={asset}
                name={`Rewards by epoch in ${unit.symbol}`}
                of="Epoch"
                bars={barsOf(ofAsset, epochs)}
                unit={unit}
              />
            );
          });
        }}
      </Shown>
    </div>
  );
}

type Sum = NonNullable<ResultOf<typeof RewardsByEpoch>['asOf']>['rewards']['sums'][number];

/** The oldest epoch may have been cut between its assets. */
function wholeEpochs(sums: readonly Sum[]): readonly Sum[] {
  if (sums.length < MOST_SUMS) return sums;
  return sums.filter(({ key }) => key.epoch !== sums.at(-1)?.key.epoch);
}

function byAsset(sums: readonly Sum[]): ReadonlyMap<string, readonly Sum[]> {
  const groups = new Map<string, Sum[]>();
  for (const sum of sums) {
    const asset = sum.key.assetId ?? '';
    groups.set(asset, [...(groups.get(asset) ?? []), sum]);
  }
  return groups;
}

/** Those that are shown, one after the other up to the newest: the same for each asset. */
function epochsOf(sums: readonly Sum[]): readonly bigint[] {
  const all = sums.map(({ key }) => BigInt(key.epoch ?? 0)).sort((a, b) => (a < b ? -1 : 1));
  const [first = 0n, last = 0n] = [all[0], all.at(-1)];
  const from = last - first < MOST_EPOCHS ? first : last - MOST_EPOCHS + 1n;
  return Array.from({ length: Number(last - from) + 1 }, (_, index) => from + BigInt(index));
}

/** An epoch without a reward has a bar of nothing. */
function barsOf(sums: readonly Sum[], epochs: readonly bigint[]): readonly Bar[] {
  const amounts = new Map(sums.map(({ key, amount }) => [`${key.epoch}`, amount]));
  return epochs.map((epoch) => ({ label: `${epoch}`, amount: amounts.get(`${epoch}`) ?? '0' }));
}
