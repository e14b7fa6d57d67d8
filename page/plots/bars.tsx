import { shift } from '../decimals.ts';
import type { Unit } from '../values.tsx';
import { axisOf, endsOf, quantity } from './axis.ts';
import { type Area, Frame } from './frame.tsx';
import type { Tick } from './times.ts';

/** An amount of something that is counted, as an epoch. */
export interface Bar {
  readonly label: string;
  /** In the smallest unit. */
  readonly amount: string;
}

/** Amounts side by side, from zero. */
export function Bars({ name, of, bars, unit, height = 200 }: BarsProps) {
  const at = (index: number) => (index + 0.5) / bars.length;
  const amountOf = (amount: string) => `${quantity(shift(amount, -unit.decimals))} ${unit.symbol}`;
  const [least, most] = endsOf(bars.map(({ amount }) => amount));
  return (
    <Frame
      name={name}
      summary={`${bars.length} amounts, from ${of} ${bars[0]?.label} to ${of} ${bars.at(-1)?.label}, between ${amountOf(least)} and ${amountOf(most)}. Arrow keys read each.`}
      height={height}
      points={bars.map(({ label }, index) => ({ key: label, at: at(index) }))}
      panes={[
        {
          title: unit.symbol,
          axis: axisOf(
            bars.map(({ amount }) => amount),
            { ticks: 4, hasZero: true },
          ),
          decimals: unit.decimals,
          share: 1,
          draw: (area) => <path class="bar" d={barsOf(bars, area)} />,
        },
      ]}
      ticks={(count) => labelled(bars, count)}
      read={(index) => [
        { name: of, value: bars[index]?.label ?? '' },
        { name: 'Amount', value: amountOf(bars[index]?.amount ?? '0'), kind: 'amount' },
      ]}
    />
  );
}

interface BarsProps {
  readonly name: string;
  /** What the bars are of. */
  readonly of: string;
  readonly bars: readonly Bar[];
  readonly unit: Unit;
  readonly height?: number;
}

const WIDEST = 48;

function barsOf(bars: readonly Bar[], area: Area): string {
  const half = Math.min((area.width / bars.length) * 0.35, WIDEST / 2);
  const zero = area.y('0').toFixed(1);
  return bars
    .map(({ amount }, index) => {
      const middle = area.x((index + 0.5) / bars.length);
      return `M${(middle - half).toFixed(1)} ${zero}V${area.y(amount).toFixed(1)}H${(middle + half).toFixed(1)}V${zero}Z`;
    })
    .join('');
}

/** As many of the labels as there is room for, evenly. */
function labelled(bars: readonly Bar[], count: number): readonly Tick[] {
  const every = Math.ceil(bars.length / count);
  return bars.flatMap(({ label }, index) =>
    index % every === 0 ? [{ at: (index + 0.5) / bars.length, text: label }] : [],
  );
}
