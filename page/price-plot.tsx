import { compare, positionIn, shift } from './decimals.ts';
import { PLOTTED_BLOCKS, type Price } from './network.ts';

const WIDTH = 240;
const HEIGHT = 40;
const MARGIN = 3;

/** The mark price over the last blocks: it holds until it changes, up to the newest block. */
export function PricePlot({ prices, height, decimals }: PricePlotProps) {
  const sorted = prices.map(({ price }) => price).sort(compare);
  const [lowest = '0', highest = '0'] = [sorted[0], sorted.at(-1)];
  const xOf = (at: bigint) => {
    const age = Math.min(Number(height - at), Number(PLOTTED_BLOCKS));
    return WIDTH - MARGIN - (age / Number(PLOTTED_BLOCKS)) * (WIDTH - 2 * MARGIN);
  };
  const yOf = (price: string) => HEIGHT - MARGIN - positionIn(price, lowest, highest) * (HEIGHT - 2 * MARGIN);
  const steps = prices.map(({ height, price }, index) => {
    const [x, y] = [xOf(height).toFixed(1), yOf(price).toFixed(1)];
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  const last = prices.at(-1)?.price ?? '0';
  const change = compare(last, prices[0]?.price ?? '0');
  const direction = lowest === highest ? 'flat' : change < 0 ? 'down' : 'up';
  const [from, to] = [lowest, highest].map((price) => shift(price, -decimals));
  return (
    <svg
      class={`plot ${direction}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={
        prices.length > 0
          ? `Mark price over the last ${PLOTTED_BLOCKS} blocks, from ${from} to ${to}`
          : 'No mark price yet'
      }
    >
      <path d={steps.length > 0 ? `${steps.join('')}H${WIDTH - MARGIN}` : ''} />
      {prices.length > 0 && <path class="end" d={`M${WIDTH - MARGIN} ${yOf(last)}h.01`} />}
    </svg>
  );
}

interface PricePlotProps {
  readonly prices: readonly Price[];
  /** That of the newest block. */
  readonly height: bigint;
  readonly decimals: number;
}
