import type { ResultOf } from 'gql.tada';
import type { ComponentChildren } from 'preact';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { Amount, Name } from '../values.tsx';

/** What a block changed of every kind. */
export const ChangesOfBlock = graphql(`
  query ChangesOfBlock($height: Uint64!, $after: String) {
    asOf(height: $height) {
      changes(first: 1, after: $after, nouns: [ACCOUNTS, ASSETS, DEPOSITS, MARGIN_LEVELS, MARKETS, MARKET_DATA, PARTIES, PARTY_PROFILES, PROPOSALS, REWARDS, RISK_FACTORS, TRADES, VOTES]) {
        edges {
          node {
            block { height }
            markets { id instrumentCode state }
            marketData { market markPrice marketNode { instrumentCode decimalPlaces quoteName quoteAssetNode { symbol } } }
            trades { nodeId marketId buyer seller market { instrumentCode } }
            deposits { id partyId amount status assetNode { symbol decimals } }
            accounts { nodeId owner type balance assetNode { symbol decimals } }
            rewards { nodeId partyId epoch amount asset { symbol decimals } }
            marginLevels { nodeId partyId marketId initialMargin market { instrumentCode } assetNode { symbol decimals } }
            proposals { id reference state }
            votes { nodeId partyId proposalId value }
            parties { id }
            partyProfiles { partyId alias }
            assets { id symbol }
            riskFactors { marketId long short }
          }
        }
      }
    }
  }
`);

export type BlockChange = NonNullable<
  ResultOf<typeof ChangesOfBlock>['asOf']
>['changes']['edges'][number]['node'];

/** A changed row: its key, what it is, and what it is then. */
type ChangedRow = readonly [key: string, what: ComponentChildren, now: ComponentChildren];

/** The changed rows of one kind. */
export interface ChangedGroup {
  readonly name: string;
  readonly rows: readonly ChangedRow[];
}

/** What a block changed, kind by kind, without those that it left alone. */
export function groupsOf(node: BlockChange): readonly ChangedGroup[] {
  return KINDS.map((groupOf) => groupOf(node)).filter(({ rows }) => rows.length > 0);
}

type Lists = Omit<BlockChange, 'block'>;

function kind<List extends keyof Lists>(
  name: string,
  list: List,
  tell: (row: Lists[List][number]) => ChangedRow,
) {
  return (node: BlockChange): ChangedGroup => ({
    name,
    rows: (node[list] as readonly Lists[List][number][]).map((row) => tell(row)),
  });
}

const market = (id: string, code: string | undefined) => (
  <Link kind="market" id={id}>
    {code || undefined}
  </Link>
);
const party = (id: string) => <Link kind="party" id={id} />;

const KINDS = [
  kind('Markets', 'markets', (one) => [
    one.id,
    market(one.id, one.instrumentCode),
    <Name of={one.state} after="STATE_" />,
  ]),
  kind('Market data', 'marketData', (one) => [
    one.market,
    market(one.market, one.marketNode?.instrumentCode),
    <Amount
      raw={one.markPrice}
      unit={{
        // A spot is quoted in what it is paid with.
        symbol: one.marketNode?.quoteName || one.marketNode?.quoteAssetNode?.symbol || '',
        decimals: one.marketNode?.decimalPlaces ?? 0,
      }}
      hasUnit
    />,
  ]),
  kind('Trades', 'trades', (one) => [
    one.nodeId,
    market(one.marketId, one.market?.instrumentCode),
    <>
      {party(one.buyer)} from {party(one.seller)}
    </>,
  ]),
  kind('Accounts', 'accounts', (one) => [
    one.nodeId,
    <>
      {party(one.owner)}{' '}
      <span class="quiet">
        <Name of={one.type} after="ACCOUNT_TYPE_" />
      </span>
    </>,
    <Amount raw={one.balance} unit={one.assetNode} decimals={2} hasUnit />,
  ]),
  kind('Margin levels', 'marginLevels', (one) => [
    one.nodeId,
    <>
      {party(one.partyId)} in {market(one.marketId, one.market?.instrumentCode)}
    </>,
    <Amount raw={one.initialMargin} unit={one.assetNode} decimals={2} hasUnit />,
  ]),
  kind('Deposits', 'deposits', (one) => [
    one.id,
    <>
      <Link kind="deposit" id={one.id} />{' '}
      <span class="quiet">
        <Name of={one.status} after="STATUS_" />
      </span>
    </>,
    <Amount raw={one.amount} unit={one.assetNode} decimals={2} hasUnit />,
  ]),
  kind('Rewards', 'rewards', (one) => [
    one.nodeId,
    <>
      {party(one.partyId)} in epoch{' '}
      <Link kind="epoch" id={one.epoch}>
        {one.epoch}
      </Link>
    </>,
    <Amount raw={one.amount} unit={one.asset} decimals={2} hasUnit />,
  ]),
  kind('Proposals', 'proposals', (one) => [
    one.id,
    <Link kind="proposal" id={one.id}>
      {one.reference || undefined}
    </Link>,
    <Name of={one.state} after="STATE_" />,
  ]),
  kind('Votes', 'votes', (one) => [
    one.nodeId,
    <>
      {party(one.partyId)} on <Link kind="proposal" id={one.proposalId} />
    </>,
    <Name of={one.value} after="VALUE_" />,
  ]),
  kind('Parties', 'parties', (one) => [one.id, party(one.id), 'new']),
  kind('Profiles', 'partyProfiles', (one) => [one.partyId, party(one.partyId), one.alias]),
  kind('Assets', 'assets', (one) => [
    one.id,
    <Link kind="asset" id={one.id}>
      {one.symbol}
    </Link>,
    '',
  ]),
  kind('Risk factors', 'riskFactors', (one) => [
    one.marketId,
    market(one.marketId, undefined),
    `long ${one.long}, short ${one.short}`,
  ]),
];
