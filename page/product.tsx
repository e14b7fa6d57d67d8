import type { Market } from './network.ts';
import { percentOf } from './percent.ts';
import { Amount } from './values.tsx';

/** The unit that prices of a market are in: of a spot, what is paid. */
export function priceUnit({ marketNode: node }: Market) {
  const symbol = node?.quoteName ?? node?.quoteAssetNode?.symbol ?? '';
  return { symbol, decimals: node?.decimalPlaces ?? 0 };
}

/** What a market trades, in a few words and numbers. */
export function Product({ market }: { readonly market: Market }) {
  const { marketNode: node } = market;
  switch (node?.product) {
    case 'PERPETUAL':
      return (
        <p class="product quiet">
          Perpetual, <Funding market={market} />
        </p>
      );
    case 'SPOT':
      return (
        <p class="product quiet">
          Spot, {node.baseAssetNode?.symbol ?? 'base'} for {node.quoteAssetNode?.symbol ?? 'quote'}
        </p>
      );
    case 'FUTURE':
      return (
        <p class="product quiet">
          {node.cap === null ? (
            'Future'
          ) : (
            <>
              Capped future, up to <Amount raw={node.cap.maxPrice} unit={priceUnit(market)} hasUnit />
            </>
          )}
        </p>
      );
    default:
      return <p class="product quiet">A product that this page does not know</p>;
  }
}

/** What would be paid if the period ended now. */
function Funding({ market: { marketNode: node, productData } }: { readonly market: Market }) {
  const { fundingPayment, fundingRate } = productData?.perpetualData ?? {};
  if (!fundingPayment || !fundingRate) return <>no funding yet</>;
  return (
    <>
      funding <span title="The funding rate of the period, so far">{percentOf(fundingRate, 4)}</span>,{' '}
      {fundingPayment.startsWith('-') ? 'shorts pay' : 'longs pay'}{' '}
      <Amount
        raw={fundingPayment.replace('-', '')}
        unit={node?.settlementAssetNode ?? null}
        decimals={4}
        hasUnit
      />{' '}
      a contract
    </>
  );
}
