import { shift } from '../decimals.ts';
import type { Unit } from '../values.tsx';
import { axisOf, endsOf, quantity } from './axis.ts';
import type { Reading } from './crosshair.tsx';
import { type Area, Frame } from './frame.tsx';
import { type Span, shareOf, ticksOf, timeText, type Zone } from './times.ts';

/** What a value came to in a piece of time. */
export interface LineBucket {
  readonly start: string;
  readonly end: string;
  /** In the smallest unit; null while nothing held. */
  readonly close: string | null;
}

/** A value over time; all lines of a plot are of the same pieces of time, and in the same unit. */
export interface Line {
  readonly name: string;
  readonly buckets: readonly LineBucket[];
}

/** Values that hold until they change, over time. */
export function Lines({ name, lines, unit, zone, height = 220 }: LinesProps) {
  const buckets = lines[0]?.buckets ?? [];
  const span = { from: BigInt(buckets[0]?.start ?? 0), to: BigInt(buckets.at(-1)?.end ?? 1) };
  const values = lines.flatMap((line) => line.buckets.flatMap(({ close }) => close ?? []));
  return (
    <Frame
      name={name}
      summary={summaryOf(lines, unit, zone)}
      height={height}
      points={buckets.map(({ start, end }) => ({
        key: start,
        at: (shareOf(start, span) + shareOf(end, span)) / 2,
      }))}
      panes={[
        {
          title: unit.symbol,
          axis: axisOf(values, { ticks: 4 }),
          decimals: unit.decimals,
          share: 1,
          now: lines.length === 1 ? (buckets.at(-1)?.close ?? null) : null,
          draw: (area) => <Drawing lines={lines} area={area} span={span} />,
        },
      ]}
      ticks={(count) => ticksOf(span, count, zone)}
      read={(index) => readingsOf(lines, index, unit, zone)}
    />
  );
}

interface LinesProps {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly unit: Unit;
  readonly zone: Zone;
  readonly height?: number;
}

function Drawing({ lines, area, span }: DrawingProps) {
  return (
    <>
      {lines.map((line, index) => (
        <path key={line.name} class={`line line-${index % 4}`} d={stepsOf(line.buckets, area, span)} />
      ))}
    </>
  );
}

interface DrawingProps {
  readonly lines: readonly Line[];
  readonly area: Area;
  readonly span: Span;
}

/** What a bucket came to stands across all of it; where nothing held, nothing does. */
function stepsOf(buckets: readonly LineBucket[], area: Area, span: Span): string {
  let isDrawing = false;
  const steps = buckets.map(({ start, end, close }) => {
    const wasDrawing = isDrawing;
    isDrawing = close !== null;
    if (close === null) return '';
    const [from, to] = [start, end].map((time) => area.x(shareOf(time, span)).toFixed(1));
    const y = area.y(close).toFixed(1);
    return `${wasDrawing ? `V${y}` : `M${from} ${y}`}H${to}`;
  });
  return steps.join('');
}

function readingsOf(lines: readonly Line[], index: number, unit: Unit, zone: Zone): readonly Reading[] {
  const start = lines[0]?.buckets[index]?.start ?? '0';
  return [
    { name: 'From', value: timeText(start, zone), kind: 'time' },
    ...lines.map(({ name, buckets }, line) => ({
      name,
      value: amountOf(buckets[index]?.close ?? null, unit),
      kind: lines.length > 1 ? `line-${line % 4}` : 'amount',
    })),
  ];
}

function amountOf(raw: string | null, { decimals, symbol }: Unit): string {
  return raw === null ? 'none' : `${quantity(shift(raw, -decimals))} ${symbol}`;
}

function summaryOf(lines: readonly Line[], unit: Unit, zone: Zone): string {
  const said = lines.map(({ name, buckets }) => {
    const known = buckets.flatMap(({ start, close }) => (close === null ? [] : [{ start, close }]));
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return `${name}: nothing.`;
    const [lowest, highest] = endsOf(known.map(({ close }) => close));
    return `${name}: ${amountOf(first.close, unit)} from ${timeText(first.start, zone)}, ${amountOf(last.close, unit)} in the end, between ${amountOf(lowest, unit)} and ${amountOf(highest, unit)}.`;
  });
  return `${said.join(' ')} Arrow keys read each time.`;
}
