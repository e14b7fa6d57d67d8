import { compare, shift } from '../decimals.ts';
import { axisOf, endsOf, quantity } from './axis.ts';
import type { Reading } from './crosshair.tsx';
import { type Area, Frame, type Pane } from './frame.tsx';
import { type Span, shareOf, ticksOf, timeAt, timeText, type Zone } from './times.ts';

/** The trades of a piece of time, as `series(of: TRADE_PRICE)` gives them. */
export interface CandleBucket {
  readonly start: string;
  readonly end: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string;
  readonly trades: number;
  readonly isComplete: boolean;
}

/** How quantities of a market are written. */
export interface MarketUnit {
  /** What a price is in. */
  readonly symbol: string;
  readonly priceDecimals: number;
  /** What is traded. */
  readonly volumeSymbol: string;
  readonly volumeDecimals: number;
}

/** Candles of a market, the volume below them. Where nothing was traded, nothing is drawn. */
export function Candles({ name, buckets, unit, zone, onRange }: CandlesProps) {
  const traded = buckets.filter(hasTrades);
  const span = { from: BigInt(buckets[0]?.start ?? 0), to: BigInt(buckets.at(-1)?.end ?? 1) };
  const points = buckets.map(({ start, end }) => ({
    key: start,
    at: (shareOf(start, span) + shareOf(end, span)) / 2,
  }));
  return (
    <Frame
      name={`Candles of ${name}`}
      summary={summaryOf(traded, unit, zone)}
      height={360}
      points={points}
      panes={panesOf(traded, unit, span)}
      ticks={(count) => ticksOf(span, count, zone)}
      read={(index) => readingsOf(buckets[index] as CandleBucket, unit, zone)}
      onRange={onRange && ((from, to) => onRange(timeAt(from, span), timeAt(to, span)))}
    />
  );
}

interface CandlesProps {
  /** Of the market. */
  readonly name: string;
  readonly buckets: readonly CandleBucket[];
  readonly unit: MarketUnit;
  readonly zone: Zone;
  /** Takes the times between which the reader wants to see more. */
  readonly onRange?: (from: string, to: string) => void;
}

interface Traded extends CandleBucket {
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

function hasTrades(bucket: CandleBucket): bucket is Traded {
  return bucket.trades > 0 && bucket.open !== null && bucket.close !== null;
}

function panesOf(traded: readonly Traded[], unit: MarketUnit, span: Span): readonly Pane[] {
  return [
    {
      title: `Price, ${unit.symbol}`,
      axis: axisOf(
        traded.flatMap(({ low, high }) => [low, high]),
        { ticks: 6 },
      ),
      decimals: unit.priceDecimals,
      share: 4,
      now: traded.at(-1)?.close ?? null,
      draw: (area) => <PriceDrawing traded={traded} area={area} span={span} />,
    },
    {
      title: `Volume, ${unit.volumeSymbol}`,
      axis: axisOf(
        traded.map(({ volume }) => volume),
        { ticks: 2, hasZero: true },
      ),
      decimals: unit.volumeDecimals,
      share: 1,
      draw: (area) => <VolumeDrawing traded={traded} area={area} span={span} />,
    },
  ];
}

interface DrawingProps {
  readonly traded: readonly Traded[];
  readonly area: Area;
  readonly span: Span;
}

function PriceDrawing({ traded, area, span }: DrawingProps) {
  const candles = traded.map((bucket) => {
    const { left, right, middle } = placeOf(bucket, area, span);
    const [high, low] = [area.y(bucket.high), area.y(bucket.low)];
    const [top, bottom] = [area.y(bucket.open), area.y(bucket.close)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    const body = `M${left} ${px(top)}H${right}V${px(Math.max(bottom, top + 1))}H${left}Z`;
    return { bucket, d: `M${middle} ${px(high)}V${px(top)}M${middle} ${px(bottom)}V${px(low)}${body}` };
  });
  const of = (kind: string, isComplete: boolean) =>
    candles
      .filter(({ bucket }) => kindOf(bucket) === kind && bucket.isComplete === isComplete)
      .map(({ d }) => d)
      .join('');
  return (
    <>
      <path class="candle up" d={of('up', true)} />
      <path class="candle down" d={of('down', true)} />
      <path class="candle up unfinished" d={of('up', false)} />
      <path class="candle down unfinished" d={of('down', false)} />
    </>
  );
}

function VolumeDrawing({ traded, area, span }: DrawingProps) {
  const bars = (kind: string) =>
    traded
      .filter((bucket) => kindOf(bucket) === kind)
      .map((bucket) => {
        const { left, right } = placeOf(bucket, area, span);
        return `M${left} ${px(area.bottom)}V${px(area.y(bucket.volume))}H${right}V${px(area.bottom)}Z`;
      })
      .join('');
  return (
    <>
      <path class="volume up" d={bars('up')} />
      <path class="volume down" d={bars('down')} />
    </>
  );
}

const WIDEST = 26;

/** The sides of a candle: most of its time, and never less than a pixel. */
function placeOf({ start, end }: Traded, area: Area, span: Span) {
  const [from, to] = [area.x(shareOf(start, span)), area.x(shareOf(end, span))];
  const middle = (from + to) / 2;
  const half = Math.min(Math.max((to - from) * 0.35, 0.5), WIDEST / 2);
  return { left: px(middle - half), right: px(middle + half), middle: px(middle) };
}

function px(value: number): string {
  return value.toFixed(1);
}

function kindOf({ open, close }: Traded): 'up' | 'down' {
  return compare(close, open) < 0 ? 'down' : 'up';
}

function readingsOf(bucket: CandleBucket, unit: MarketUnit, zone: Zone): readonly Reading[] {
  const time = {
    name: bucket.isComplete ? 'From' : 'From, so far',
    value: timeText(bucket.start, zone),
    kind: 'time',
  };
  // What held in a time without trades is of before: it is no candle.
  const price = (value: string | null) =>
    value === null || bucket.trades === 0 ? 'none' : writePrice(value, unit);
  return [
    time,
    { name: 'Open', value: price(bucket.open) },
    { name: 'High', value: price(bucket.high) },
    { name: 'Low', value: price(bucket.low) },
    { name: 'Close', value: price(bucket.close), kind: hasTrades(bucket) ? kindOf(bucket) : '' },
    { name: 'Volume', value: quantity(shift(bucket.volume, -unit.volumeDecimals)) },
    { name: 'Trades', value: `${bucket.trades}` },
  ];
}

function writePrice(raw: string, { priceDecimals }: MarketUnit): string {
  return quantity(shift(raw, -priceDecimals), priceDecimals);
}

function summaryOf(traded: readonly Traded[], unit: MarketUnit, zone: Zone): string {
  const [first, last] = [traded[0], traded.at(-1)];
  if (!first || !last) return 'No trades.';
  const [lowest, highest] = endsOf(traded.flatMap(({ low, high }) => [low, high]));
  const price = (value: string) => writePrice(value, unit);
  return `${traded.length} candles with trades, from ${timeText(first.start, zone)} at ${price(first.open)} to ${timeText(last.start, zone)} at ${price(last.close)} ${unit.symbol}, between ${price(lowest)} and ${price(highest)}. Arrow keys read each.`;
}
