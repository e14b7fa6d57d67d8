import { useAsked } from '../asked.ts';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link } from '../link.tsx';
import { AccountList } from '../lists/accounts.tsx';
import { DepositList } from '../lists/deposits.tsx';
import { Panel } from '../panel.tsx';
import { Found } from '../state.tsx';
import { AccountSums } from '../sums/account-sums.tsx';
import { Amount, Name } from '../values.tsx';

const AssetPage = graphql(`
  query AssetPage($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      asset(id: $id) {
        id name symbol decimals quantum status contractAddress chainId lifetimeLimit withdrawThreshold maxFaucetAmount
        markets(first: 50) { edges { node { id instrumentCode } } }
      }
    }
  }
`);

/** An asset: what it is, and who has most of it. */
export function AssetPlace({ id }: { readonly id: string }) {
  const asked = useAsked(AssetPage, { id }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.asset} what="asset">
      {(asset) => (
        <>
          <Heading kind="Asset" name={asset.symbol} id={asset.id}>
            <span>{asset.name}</span>
          </Heading>
          <div class="pair even">
            <Panel id="terms" title="Terms" asked={asked}>
              <Facts
                facts={[
                  ['Status', <Name of={asset.status} after="STATUS_" />],
                  ['Decimals', `${asset.decimals}`],
                  ['Quantum', <Amount raw={asset.quantum} unit={asset} hasUnit />],
                  ['Contract', asset.contractAddress && <code>{asset.contractAddress}</code>],
                  ['Chain', asset.chainId],
                  ['Lifetime limit', amountOf(asset.lifetimeLimit, asset)],
                  ['Withdrawal threshold', amountOf(asset.withdrawThreshold, asset)],
                  ['Faucet gives up to', amountOf(asset.maxFaucetAmount, asset)],
                  ['Settles', marketLinks(asset.markets.edges.map(({ node }) => node))],
                ]}
              />
            </Panel>
            <AccountSums assetId={id} />
          </div>
          <AccountList assetId={id} title="Accounts, largest first" />
          <DepositList assetId={id} />
        </>
      )}
    </Found>
  );
}

function amountOf(raw: string | null, unit: { readonly symbol: string; readonly decimals: number }) {
  return raw && <Amount raw={raw} unit={unit} hasUnit />;
}

function marketLinks(markets: readonly { readonly id: string; readonly instrumentCode: string }[]) {
  if (markets.length === 0) return null;
  return (
    <span class="links">
      {markets.map(({ id, instrumentCode }) => (
        <Link key={id} kind="market" id={id}>
          {instrumentCode}
        </Link>
      ))}
    </span>
  );
}
