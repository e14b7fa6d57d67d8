import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Lines } from './lines.tsx';
import { Nothing, Shown } from './shown.tsx';
import type { Zone } from './times.ts';
import { zoneName } from './times.ts';

const BalancesOfParty = graphql(`
  query BalancesOfParty($at: Uint64, $id: ID!, $zone: String) {
    asOf(height: $at) {
      accounts(first: 0, filter: { partyIds: [$id] }) {
        series(by: [ASSET], points: 300, zone: $zone) { key { asset } buckets { start end close } }
      }
      assets { edges { node { id symbol decimals } } }
    }
  }
`);

/** All that a party has over time, up to the block that is shown: a plot for each asset, as amounts of several have no sum. */
export function BalancePanel({ partyId, zone = 'UTC' }: BalancePanelProps) {
  const asked = useAsked(BalancesOfParty, { id: partyId, zone: zoneName(zone) });
  return (
    <div class="plot-panel">
      <Shown asked={asked.value} what="balances">
        {({ asOf }) => {
          const assets = new Map(asOf?.assets.edges.map(({ node }) => [node.id, node]));
          const series = asOf?.accounts.series ?? [];
          if (series.length === 0) return <Nothing>This party has no accounts.</Nothing>;
          return series.map(({ key: { asset }, buckets }) => {
            const unit = assets.get(asset) ?? { symbol: 'smallest units', decimals: 0 };
            return (
              <Lines
                key={asset}
                name={`Balance over time in ${unit.symbol}`}
                lines={[{ name: 'Balance', buckets }]}
                unit={unit}
                zone={zone}
              />
            );
          });
        }}
      </Shown>
    </div>
  );
}

interface BalancePanelProps {
  readonly partyId: string;
  readonly zone?: Zone;
}
