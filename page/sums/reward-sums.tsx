import { useEffect } from 'preact/hooks';
import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Panel } from '../panel.tsx';
import { REWARD_TYPE, seeTypes } from '../reward-types.ts';
import { Watched } from '../sight.tsx';
import { Found } from '../state.tsx';
import { type Column, Table } from '../table.tsx';
import { Name } from '../values.tsx';
import { AssetCell, SumCells } from './sum-cells.tsx';

const RewardSumsOf = graphql(`
  query RewardSums($at: Uint64, $filter: RewardFilter) {
    asOf(height: $at) {
      rewards(first: 0, filter: $filter) {
        sums(by: [ASSET, TYPE], first: 200, orderBy: KEY) { amount count key { type assetId asset { symbol decimals } } }
      }
    }
  }
`);

const COLUMNS: readonly Column[] = [
  ['Asset'],
  ['Type', 'long'],
  ['Rewards', 'number spare'],
  ['Together', 'number'],
];

interface RewardSumsProps {
  readonly partyId?: string;
  readonly epoch?: string;
}

/** What a party was rewarded, or what an epoch rewarded, by asset and type. */
export function RewardSums(props: RewardSumsProps) {
  return (
    <Watched>
      <WatchedSums {...props} />
    </Watched>
  );
}

function WatchedSums({ partyId, epoch }: RewardSumsProps) {
  const filter = {
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(epoch !== undefined && { fromEpoch: epoch, toEpoch: epoch }),
  };
  const asked = useAsked(RewardSumsOf, { filter }).value;
  const sums = asked.data?.asOf?.rewards.sums;
  useEffect(() => seeTypes(sums?.flatMap(({ key }) => key.type ?? []) ?? []), [sums]);
  return (
    <Panel id="reward-sums" title="Rewards by asset and type" asked={asked}>
      <Found asked={asked} find={({ asOf }) => asOf?.rewards.sums} what="sums">
        {(sums) => (
          <Table
            kind="list"
            columns={COLUMNS}
            empty="There are no rewards."
            rows={sums.map(({ amount, count, key }) => (
              <tr key={`${key.type} ${key.assetId}`}>
                <AssetCell id={key.assetId} asset={key.asset} />
                <td>
                  <Name of={key.type ?? ''} after={REWARD_TYPE} />
                </td>
                <SumCells count={count} amount={amount} asset={key.asset} />
              </tr>
            ))}
          />
        )}
      </Found>
    </Panel>
  );
}
