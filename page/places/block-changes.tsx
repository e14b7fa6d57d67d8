import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import type { ComponentChildren } from 'preact';
import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { Panel } from '../panel.tsx';
import { Found } from '../state.tsx';
import { Table } from '../table.tsx';
import { Amount, Name } from '../values.tsx';

const ChangesOfBlock = graphql(`
  query ChangesOfBlock($height: Uint64!, $after: String) {
    asOf(height: $height) {
      changes(first: 1, after: $after, nouns: [ACCOUNTS, ASSETS, DEPOSITS, MARGIN_LEVELS, MARKETS, MARKET_DATA, PARTIES, PROPOSALS, REWARDS, RISK_FACTORS, TRADES, VOTES]) {
        edges {
          node {
            block { height }
            markets { id instrumentCode state }
            marketData { market markPrice marketNode { instrumentCode decimalPlaces quoteName } }
            trades { nodeId marketId buyer seller market { instrumentCode } }
            deposits { id partyId amount status assetNode { symbol decimals } }
            accounts { nodeId owner type balance assetNode { symbol decimals } }
            rewards { nodeId partyId epoch amount asset { symbol decimals } }
            marginLevels { nodeId partyId marketId initialMargin market { instrumentCode } assetNode { symbol decimals } }
            proposals { id reference state }
            votes { nodeId partyId proposalId value }
            parties { id }
            assets { id symbol }
            riskFactors { marketId long short }
          }
        }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof ChangesOfBlock>['asOf']>['changes']['edges'][number]['node'];

/** As many rows of a kind as are shown at once: a block may change thousands. */
const MOST_ROWS = 12;

/** What a block changed, as it was at its end, by kind. */
export function BlockChanges({ height, after }: { readonly height: string; readonly after: string | null }) {
  const asked = useAsked(ChangesOfBlock, { height, after }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.changes.edges} what="changes">
      {([first]) => {
        const groups = first === undefined ? [] : groupsOf(first.node).filter(({ rows }) => rows.length > 0);
        if (groups.length === 0) return <p class="quiet state-note">This block changed nothing.</p>;
        return (
          <div class="three">
            {groups.map((group) => (
              <Group key={group.name} {...group} asked={asked} />
            ))}
          </div>
        );
      }}
    </Found>
  );
}

interface ChangedGroup {
  readonly name: string;
  readonly rows: readonly (readonly [key: string, what: ComponentChildren, now: ComponentChildren])[];
}

function Group({
  name,
  rows,
  asked,
}: ChangedGroup & { readonly asked: Parameters<typeof Panel>[0]['asked'] }) {
  const isOpen = useSignal(false);
  return (
    <Panel
      id={`changed-${name.toLowerCase().replaceAll(' ', '-')}`}
      title={`${name} (${rows.length})`}
      {...(asked && { asked })}
    >
      <Table
        kind="changed"
        columns={[['What'], ['Then', 'number']]}
        rows={rows.slice(0, isOpen.value ? rows.length : MOST_ROWS).map(([key, what, now]) => (
          <tr key={key}>
            <td>{what}</td>
            <td class="number">{now}</td>
          </tr>
        ))}
        count={rows.length}
        onMore={() => {
          isOpen.value = true;
        }}
      />
    </Panel>
  );
}

function groupsOf(node: Answer): readonly ChangedGroup[] {
  const market = (id: string, code: string | undefined) => (
    <Link kind="market" id={id}>
      {code || undefined}
    </Link>
  );
  const party = (id: string) => <Link kind="party" id={id} />;
  return [
    {
      name: 'Markets',
      rows: node.markets.map((one) => [
        one.id,
        market(one.id, one.instrumentCode),
        <Name of={one.state} after="STATE_" />,
      ]),
    },
    {
      name: 'Market data',
      rows: node.marketData.map((one) => [
        one.market,
        market(one.market, one.marketNode?.instrumentCode),
        <Amount
          raw={one.markPrice}
          unit={{ symbol: one.marketNode?.quoteName ?? '', decimals: one.marketNode?.decimalPlaces ?? 0 }}
          hasUnit
        />,
      ]),
    },
    {
      name: 'Trades',
      rows: node.trades.map((one) => [
        one.nodeId,
        market(one.marketId, one.market?.instrumentCode),
        <>
          {party(one.buyer)} from {party(one.seller)}
        </>,
      ]),
    },
    {
      name: 'Accounts',
      rows: node.accounts.map((one) => [
        one.nodeId,
        <>
          {party(one.owner)}{' '}
          <span class="quiet">
            <Name of={one.type} after="ACCOUNT_TYPE_" />
          </span>
        </>,
        <Amount raw={one.balance} unit={one.assetNode} decimals={2} hasUnit />,
      ]),
    },
    {
      name: 'Margin levels',
      rows: node.marginLevels.map((one) => [
        one.nodeId,
        <>
          {party(one.partyId)} in {market(one.marketId, one.market?.instrumentCode)}
        </>,
        <Amount raw={one.initialMargin} unit={one.assetNode} decimals={2} hasUnit />,
      ]),
    },
    {
      name: 'Deposits',
      rows: node.deposits.map((one) => [
        one.id,
        <>
          <Link kind="deposit" id={one.id} />{' '}
          <span class="quiet">
            <Name of={one.status} after="STATUS_" />
          </span>
        </>,
        <Amount raw={one.amount} unit={one.assetNode} decimals={2} hasUnit />,
      ]),
    },
    {
      name: 'Rewards',
      rows: node.rewards.map((one) => [
        one.nodeId,
        <>
          {party(one.partyId)} in epoch{' '}
          <Link kind="epoch" id={one.epoch}>
            {one.epoch}
          </Link>
        </>,
        <Amount raw={one.amount} unit={one.asset} decimals={2} hasUnit />,
      ]),
    },
    {
      name: 'Proposals',
      rows: node.proposals.map((one) => [
        one.id,
        <Link kind="proposal" id={one.id}>
          {one.reference || undefined}
        </Link>,
        <Name of={one.state} after="STATE_" />,
      ]),
    },
    {
      name: 'Votes',
      rows: node.votes.map((one) => [
        one.nodeId,
        <>
          {party(one.partyId)} on <Link kind="proposal" id={one.proposalId} />
        </>,
        <Name of={one.value} after="VALUE_" />,
      ]),
    },
    { name: 'Parties', rows: node.parties.map((one) => [one.id, party(one.id), 'new']) },
    {
      name: 'Assets',
      rows: node.assets.map((one) => [
        one.id,
        <Link kind="asset" id={one.id}>
          {one.symbol}
        </Link>,
        '',
      ]),
    },
    {
      name: 'Risk factors',
      rows: node.riskFactors.map((one) => [
        one.marketId,
        market(one.marketId, undefined),
        `long ${one.long}, short ${one.short}`,
      ]),
    },
  ];
}
