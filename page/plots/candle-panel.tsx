import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Candles, type MarketUnit } from './candles.tsx';
import { RadioGroup } from './radio-group.tsx';
import { Nothing, Shown } from './shown.tsx';
import { useShownTime } from './shown-time.ts';
import { timeText, type Zone, zoneName } from './times.ts';

const CandlesOfMarket = graphql(`
  query CandlesOfMarket($at: Uint64, $id: ID!, $from: Timestamp, $to: Timestamp, $every: String, $points: Int, $zone: String) {
    asOf(height: $at) {
      market(id: $id) {
        instrumentCode quoteName quoteAssetNode { symbol } baseAssetNode { symbol } decimalPlaces positionDecimalPlaces
        series(of: TRADE_PRICE, from: $from, to: $to, every: $every, points: $points, zone: $zone) {
          start end open high low close volume trades isComplete
        }
      }
    }
  }
`);

const MINUTE = 60_000_000_000n;
const DAY = 1_440n * MINUTE;

/** How far back, and how wide the candles then are. */
const RANGES = [
  { name: '1h', reach: 60n * MINUTE, every: 'PT1M', width: MINUTE },
  { name: '6h', reach: 360n * MINUTE, every: 'PT5M', width: 5n * MINUTE },
  { name: '1d', reach: DAY, every: 'PT15M', width: 15n * MINUTE },
  { name: '1w', reach: 7n * DAY, every: 'PT2H', width: 120n * MINUTE },
  { name: '1M', reach: 30n * DAY, every: 'PT8H', width: 480n * MINUTE },
  { name: 'All', reach: null, every: null, width: 1n },
] as const;

const MOST_CANDLES = 120;

/** The part of the time that the reader chose on the plot. */
interface Chosen {
  readonly from: string;
  readonly to: string;
}

/** The candles of a market as of the block that is shown, over a range and in a zone that the reader chooses. */
export function CandlePanel({ marketId }: { readonly marketId: string }) {
  const range = useSignal<string>('All');
  const zone = useSignal<Zone>('UTC');
  const chosen = useSignal<Chosen | null>(null);
  const now = useShownTime();
  const variables = { ...rangeOf(range.value, now.value, chosen.value), zone: zoneName(zone.value) };
  const asked = useAsked(CandlesOfMarket, { id: marketId, ...variables });
  const names = RANGES.map(({ name }) => name);
  return (
    <div class="plot-panel">
      <div class="choices">
        <RadioGroup
          name="Range"
          options={chosen.value === null ? names : [...names, 'Chosen']}
          value={chosen.value === null ? range.value : 'Chosen'}
          onChoose={(name) => {
            if (name === 'Chosen') return;
            chosen.value = null;
            range.value = name;
          }}
        />
        <RadioGroup
          name="Times"
          options={['UTC', 'local']}
          value={zone.value}
          onChoose={(name) => {
            zone.value = name === 'local' ? 'local' : 'UTC';
          }}
        />
      </div>
      <Shown asked={asked.value} what="candles">
        {({ asOf }) => {
          const market = asOf?.market;
          if (!market?.series.some(({ trades }) => trades > 0))
            return <Nothing>No trades in this time.</Nothing>;
          return (
            <Candles
              name={market.instrumentCode || marketId}
              buckets={market.series}
              unit={unitOf(market)}
              zone={zone.value}
              onRange={(from, to) => {
                chosen.value = { from, to };
              }}
            />
          );
        }}
      </Shown>
      {chosen.value && (
        <p class="quiet">
          From {timeText(chosen.value.from, zone.value)} to {timeText(chosen.value.to, zone.value)}.
        </p>
      )}
    </div>
  );
}

/** What to ask for a range that ends with the block that is shown; a new one each time that a candle begins, and no sooner. */
function rangeOf(name: string, now: bigint | null, chosen: Chosen | null) {
  if (chosen !== null) return { ...chosen, every: null, points: MOST_CANDLES };
  const { reach, every, width } = RANGES.find((one) => one.name === name) ?? RANGES[0];
  if (reach === null || now === null) return { from: null, to: null, every: null, points: MOST_CANDLES };
  const from = now - reach;
  return { from: `${from > 0n ? from - (from % width) : 0n}`, to: null, every, points: null };
}

type Market = NonNullable<NonNullable<ResultOf<typeof CandlesOfMarket>['asOf']>['market']>;

function unitOf({
  quoteName,
  quoteAssetNode,
  baseAssetNode,
  decimalPlaces,
  positionDecimalPlaces,
}: Market): MarketUnit {
  return {
    symbol: quoteName ?? quoteAssetNode?.symbol ?? 'quote',
    volumeSymbol: baseAssetNode?.symbol ?? 'contracts',
    priceDecimals: decimalPlaces,
    volumeDecimals: positionDecimalPlaces,
  };
}
