import { compare, positionIn, shift } from '../decimals.ts';
import type { Unit } from '../values.tsx';
import { axisOf, labelsOf, quantity } from './axis.ts';
import type { Reading } from './crosshair.tsx';
import { type Area, Frame, type Pane } from './frame.tsx';
import { type CurvePoint, isFar } from './margin-limits.ts';
import type { Tick } from './times.ts';

/** Margins over open volumes and, below, the liquidation price beside the mark price. */
export function MarginCurve({ points, unit, volumeDecimals, markPrice }: MarginCurveProps) {
  const [first, last] = [points[0]?.openVolume ?? '0', points.at(-1)?.openVolume ?? '0'];
  const at = (volume: string) => positionIn(volume, first, last);
  const write = (raw: string) => `${quantity(shift(raw, -unit.decimals))} ${unit.symbol}`;
  return (
    <Frame
      name="Margin and liquidation price over open volumes"
      summary={`Open volumes from ${quantity(shift(first, -volumeDecimals))} to ${quantity(shift(last, -volumeDecimals))}; the mark price is ${write(markPrice)}. Arrow keys read each.`}
      height={380}
      points={points.map(({ openVolume }) => ({ key: openVolume, at: at(openVolume) }))}
      panes={[marginPane(points, unit, at), pricePane(points, unit, at, markPrice)]}
      ticks={(count) => volumeTicks(first, last, volumeDecimals, count)}
      read={(index) => readingsOf(points[index] as CurvePoint, volumeDecimals, write)}
    />
  );
}

interface MarginCurveProps {
  /** By open volume, the least first. */
  readonly points: readonly CurvePoint[];
  /** That of the settlement asset. */
  readonly unit: Unit;
  readonly volumeDecimals: number;
  /** In the asset's smallest unit. */
  readonly markPrice: string;
}

type Place = (volume: string) => number;

function marginPane(points: readonly CurvePoint[], unit: Unit, at: Place): Pane {
  return {
    title: `Margin, ${unit.symbol}: initial, and dashed maintenance`,
    axis: axisOf(
      points.map(({ initialMargin }) => initialMargin),
      { ticks: 4, hasZero: true },
    ),
    decimals: unit.decimals,
    share: 1,
    draw: (area) => (
      <>
        <path class="line line-0" d={lineOf(points, area, at, ({ initialMargin }) => initialMargin)} />
        <path
          class="line line-1"
          d={lineOf(points, area, at, ({ maintenanceMargin }) => maintenanceMargin)}
        />
      </>
    ),
  };
}

function pricePane(points: readonly CurvePoint[], unit: Unit, at: Place, markPrice: string): Pane {
  const near = ({ liquidation }: CurvePoint) =>
    liquidation === null || isFar(liquidation, markPrice) ? null : liquidation;
  return {
    title: `Liquidation price, ${unit.symbol}; dotted the mark price`,
    axis: axisOf([markPrice, ...points.flatMap((point) => near(point) ?? [])], { ticks: 4, hasZero: true }),
    decimals: unit.decimals,
    share: 1,
    now: markPrice,
    draw: (area) => <path class="line line-2" d={lineOf(points, area, at, near)} />,
  };
}

/** From point to point; broken where there is none. */
function lineOf(
  points: readonly CurvePoint[],
  area: Area,
  at: Place,
  quantityOf: (point: CurvePoint) => string | null,
): string {
  let isDrawing = false;
  const parts = points.map((point) => {
    const value = quantityOf(point);
    const command = isDrawing ? 'L' : 'M';
    isDrawing = value !== null;
    return value === null
      ? ''
      : `${command}${area.x(at(point.openVolume)).toFixed(1)} ${area.y(value).toFixed(1)}`;
  });
  return parts.join('');
}

function volumeTicks(first: string, last: string, decimals: number, count: number): readonly Tick[] {
  const { ticks } = axisOf([first, last], { ticks: count });
  const within = ticks.filter((tick) => compare(tick, first) >= 0 && compare(tick, last) <= 0);
  const labels = labelsOf(within, decimals);
  return within.map((tick, index) => ({ at: positionIn(tick, first, last), text: labels[index] ?? '' }));
}

function readingsOf(point: CurvePoint, decimals: number, write: (raw: string) => string): readonly Reading[] {
  return [
    { name: 'Open volume', value: quantity(shift(point.openVolume, -decimals)) },
    { name: 'Initial margin', value: write(point.initialMargin), kind: 'line-0' },
    { name: 'Maintenance', value: write(point.maintenanceMargin), kind: 'line-1' },
    {
      name: 'Liquidation price',
      value: point.liquidation === null ? 'none' : write(point.liquidation),
      kind: 'line-2',
    },
  ];
}
