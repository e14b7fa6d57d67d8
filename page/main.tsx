import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { Accounts } from './accounts.tsx';
import { EstimateForm } from './estimate-form.tsx';
import { findMetrics, Header, watchTheClock } from './header.tsx';
import { Markets } from './markets.tsx';
import { followBlocks, followMarkets, isReady } from './network.ts';
import { Newest } from './newest.tsx';
import { followParty } from './party.ts';
import { place, watchAddress } from './place.ts';
import { PlacePage } from './places/index.tsx';
import { followTime } from './time.ts';

/*
 * The page at `/`: a dashboard on the public GraphQL interface. What is known of the network is in signals
 * (network.ts, party.ts, estimate.ts), which streams and queries fill (connection.ts); the components show them.
 */

function Page() {
  return (
    <>
      <a class="skip" href="#shown">
        Skip to what is shown
      </a>
      <Header />
      <main id="shown" tabIndex={-1}>
        <Shown />
      </main>
    </>
  );
}

function Shown() {
  const { kind, id } = place.value;
  if (kind !== null) return <PlacePage kind={kind} id={id} />;
  // All at once, so that nothing is pushed away by what comes above it.
  return isReady.value ? <Network /> : <p class="quiet">Waiting for the network…</p>;
}

function Network() {
  return (
    <>
      <Markets />
      <div class="pair">
        <Accounts />
        <EstimateForm />
      </div>
      <Newest />
    </>
  );
}

/** Follows what the page of the network shows, from when somebody first comes to it. */
function followHome(): void {
  let isFollowed = false;
  effect(() => {
    if (place.value.kind !== null || isFollowed) return;
    isFollowed = true;
    untracked(() => {
      void followMarkets();
      followParty();
    });
  });
}

watchAddress();
void followBlocks();
followHome();
followTime();
watchTheClock();
// Without it the page lacks a link.
findMetrics().catch(() => {});
render(<Page />, document.body);
