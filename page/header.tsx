import { effect, signal } from '@preact/signals';
import { connection } from './connection.ts';
import { write } from './decimals.ts';
import { block } from './network.ts';
import { at, hrefOf } from './place.ts';
import { SearchBox } from './search-box.tsx';
import { speed } from './time.ts';
import { TimeBar } from './time-bar.tsx';

/** Longer than any network takes for a block. */
const QUIET_AFTER_S = 15;

/** For how many seconds no block has come. */
const secondsWithout = signal(0);

/** Where the metrics are, where they are served beside the page. */
const metricsPath = signal<string | null>(null);

/** Where the network stands, and whether the page still knows. */
export function Header() {
  return (
    <header class={connection.value}>
      <h1>
        <a href={hrefOf(null)}>Periscope</a>
      </h1>
      <SearchBox />
      <nav aria-label="Interfaces">
        <a href="/graphql">GraphiQL</a>
        <a href="/docs">Reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/asyncapi.json">AsyncAPI</a>
        <a href="/health/ready">Health</a>
        {metricsPath.value && <a href={metricsPath.value}>Metrics</a>}
      </nav>
      <TimeBar />
      <p id="connection" role="status">
        {describeConnection()}
      </p>
    </header>
  );
}

/** Asks the gateway where its interfaces are. */
export async function findMetrics(): Promise<void> {
  const answer = await fetch('/', { headers: { Accept: 'application/json' } });
  const { metrics } = (await answer.json()) as { readonly metrics?: string };
  metricsPath.value = metrics ?? null;
}

/** Counts the seconds without a block. */
export function watchTheClock(): void {
  effect(() => {
    void block.value;
    secondsWithout.value = 0;
  });
  setInterval(() => {
    secondsWithout.value += 1;
  }, 1_000);
}

function describeConnection(): string {
  if (connection.value === 'connecting') return 'Connecting…';
  if (connection.value === 'lost')
    return 'Disconnected. What is shown is of the block named, or older; trying to connect again…';
  if (connection.value === 'refused')
    return 'Disconnected for good. What is shown is of the block named, or older: load the page again.';
  // Each block would be read out, five in a second.
  if (speed.value !== null) return 'Connected. Everything is shown as of the block named, while blocks play.';
  if (at.value !== null) return `Connected. Everything is shown as of block ${write(at.value).whole}.`;
  if (block.value === null) return 'Connected; the network has made no block yet.';
  const isQuiet = secondsWithout.value >= QUIET_AFTER_S;
  return isQuiet ? 'Connected; the network has made no block for a while.' : 'Live';
}
