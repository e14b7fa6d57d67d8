import { render } from 'preact';
import { followBlocks } from '../network.ts';
import { BalancePanel } from '../plots/balance-panel.tsx';
import { CandlePanel } from '../plots/candle-panel.tsx';
import { MarginPanel } from '../plots/margin-panel.tsx';
import { RewardsPanel } from '../plots/rewards-panel.tsx';
import { TallyPanel } from '../plots/tally-panel.tsx';

/*
 * Plots alone on a page, for tests and for looking at them: the address says of what, as `?market=…&party=…`.
 */

const asked = new URLSearchParams(location.search);
const of = (name: string) => asked.get(name) ?? '';

function Plots() {
  return (
    <>
      <header>
        <h1>Plots</h1>
      </header>
      <main>
        {of('market') && (
          <section aria-labelledby="candles">
            <h2 id="candles">Candles</h2>
            <CandlePanel marketId={of('market')} />
          </section>
        )}
        {of('market') && (
          <section aria-labelledby="margins">
            <h2 id="margins">Margins</h2>
            <MarginPanel marketId={of('market')} />
          </section>
        )}
        {of('proposal') && (
          <section aria-labelledby="tally">
            <h2 id="tally">Tally</h2>
            <TallyPanel proposalId={of('proposal')} />
          </section>
        )}
        {of('party') && (
          <>
            <section aria-labelledby="balances">
              <h2 id="balances">Balances</h2>
              <BalancePanel partyId={of('party')} />
            </section>
            <section aria-labelledby="rewards">
              <h2 id="rewards">Rewards</h2>
              <RewardsPanel partyId={of('party')} />
            </section>
          </>
        )}
      </main>
    </>
  );
}

void followBlocks();
document.body.replaceChildren();
render(<Plots />, document.body);
