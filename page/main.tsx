import { render } from 'preact';
import { Accounts } from './accounts.tsx';
import { followEstimate } from './estimate.ts';
import { EstimateForm } from './estimate-form.tsx';
import { findMetrics, Header, watchTheClock } from './header.tsx';
import { Markets } from './markets.tsx';
import { followNetwork, isReady } from './network.ts';
import { Newest } from './newest.tsx';
import { followParty } from './party.ts';
import { watchAddress } from './place.ts';

/*
 * The page at `/`: a dashboard on the public GraphQL interface. What is known of the network is in signals
 * (network.ts, party.ts, estimate.ts), which streams and queries fill (connection.ts); the components show them.
 */

function Page() {
  return (
    <>
      <a class="skip" href="#markets">
        Skip to the markets
      </a>
      <Header />
      {/* All at once, so that nothing is pushed away by what comes above it. */}
      <main>{isReady.value ? <Network /> : <p class="quiet">Waiting for the network…</p>}</main>
    </>
  );
}

function Network() {
  return (
    <>
      <Markets />
      <div class="pair">
        <Accounts />
        <EstimateForm />
      </div>
      <div class="three">
        <Newest />
      </div>
    </>
  );
}

watchAddress();
followNetwork();
followParty();
followEstimate();
watchTheClock();
// Without it the page lacks a link.
findMetrics().catch(() => {});
render(<Page />, document.body);
