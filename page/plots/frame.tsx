import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { positionIn } from '../decimals.ts';
import { type Axis, labelsOf } from './axis.ts';
import { Crosshair, type Reading, Readings, Slider } from './crosshair.tsx';
import type { Tick } from './times.ts';
import { useWidth } from './width.ts';

/** A part of a plot with an axis of its own; parts stand below each other. */
export interface Pane {
  readonly axis: Axis;
  /** Of the unit of the axis. */
  readonly decimals: number;
  /** What the axis is of, with its unit. */
  readonly title: string;
  /** Its share of the height. */
  readonly share: number;
  /** A quantity that is marked on the axis: the newest. */
  readonly now?: string | null;
  draw(area: Area): VNode;
}

/** Where things are, in pixels. */
export interface Area {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  /** From a share of the width. */
  x(share: number): number;
  /** From a quantity. */
  y(quantity: string): number;
}

/** Something of a plot that can be pointed at. */
export interface Point {
  /** Stays with it when others come before it. */
  readonly key: string;
  /** From 0 to 1. */
  readonly at: number;
}

/** A plot: its axes, what is drawn between them, and what is read where the reader points, by pointer or by keyboard. */
export function Frame(props: FrameProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const id = useId();
  const pointed = useSignal<string | null>(null);
  const anchor = useSignal<string | null>(null);
  const { name, summary, points, height } = props;
  const pointing = { points, pointed, anchor, read: props.read, onRange: props.onRange };
  return (
    <figure class="chart">
      <figcaption class="unseen" id={id}>
        {summary}
      </figcaption>
      <Readings {...pointing} />
      <Slider {...pointing} name={name} describedBy={id} />
      <div class="canvas" ref={box} style={{ height: `${height}px` }}>
        {width.value > 0 && (
          <svg width={width.value} height={height} aria-hidden="true">
            <Drawing {...props} width={width.value} pointing={pointing} />
          </svg>
        )}
      </div>
    </figure>
  );
}

export interface FrameProps {
  /** What it shows, for those who do not see it. */
  readonly name: string;
  /** What can be said of all of it in a sentence or two. */
  readonly summary: string;
  readonly height: number;
  readonly points: readonly Point[];
  readonly panes: readonly Pane[];
  /** The marks of the axis below, about so many. */
  ticks(count: number): readonly Tick[];
  /** What is read at one of the points. */
  read(index: number): readonly Reading[];
  /** Takes the part that was chosen, from 0 to 1. Without it none can be. */
  readonly onRange?: ((from: number, to: number) => void) | undefined;
}

/** What the reader points at. */
export type Pointing = Pick<FrameProps, 'points' | 'read' | 'onRange'> & {
  readonly pointed: { value: string | null };
  readonly anchor: { value: string | null };
};

const BELOW = 24;
const ABOVE = 18;
const BESIDE = 10;
const LETTER = 7.9;
/** How far apart marks below are, about, and how wide what is written at one may be. */
const TICK_WIDTH = 90;
const TICK_TEXT = 62;

function Drawing({ panes, ticks, height, width, pointing }: DrawingProps) {
  const labels = panes.map(({ axis, decimals }) => labelsOf(axis.ticks, decimals));
  const longest = Math.max(...labels.flat().map((label) => label.length), 4);
  const inner = Math.max(40, width - BESIDE - Math.ceil(longest * LETTER));
  const areas = areasOf(panes, inner, height - BELOW);
  const marks = ticks(Math.max(3, Math.floor(inner / TICK_WIDTH)));
  const every = Math.ceil((marks.length * TICK_TEXT) / inner);
  return (
    <>
      {marks.map(({ at, text }, index) => (
        <g key={text + at} class="tick" transform={`translate(${(at * inner).toFixed(1)} 0)`}>
          <line y1={ABOVE} y2={height - BELOW} />
          <text y={height - 7} text-anchor={anchorOf(at * inner, inner)}>
            {index % every === 0 && text}
          </text>
        </g>
      ))}
      {panes.map((pane, index) => (
        <PaneDrawing key={pane.title} pane={pane} area={areas[index] as Area} labels={labels[index] ?? []} />
      ))}
      <Crosshair {...pointing} width={inner} top={ABOVE} bottom={height - BELOW} />
    </>
  );
}

interface DrawingProps extends FrameProps {
  readonly width: number;
  readonly pointing: Pointing;
}

function PaneDrawing({ pane, area, labels }: PaneDrawingProps) {
  const { now } = pane;
  return (
    <>
      {pane.axis.ticks.map((tick, index) => (
        <g key={tick} class="tick" transform={`translate(0 ${area.y(tick).toFixed(1)})`}>
          <line x2={area.width} />
          <text x={area.width + BESIDE} dy="0.32em">
            {labels[index]}
          </text>
        </g>
      ))}
      <text class="title" y={area.top - 6}>
        {pane.title}
      </text>
      {pane.draw(area)}
      {now && <path class="now" d={`M0 ${area.y(now).toFixed(1)}H${area.width}l7 -4v8l-7 -4`} />}
    </>
  );
}

interface PaneDrawingProps {
  readonly pane: Pane;
  readonly area: Area;
  readonly labels: readonly string[];
}

function areasOf(panes: readonly Pane[], width: number, height: number): readonly Area[] {
  const shares = panes.reduce((sum, { share }) => sum + share, 0);
  const free = height - ABOVE * panes.length;
  let end = 0;
  return panes.map(({ axis, share }) => {
    const top = end + ABOVE;
    end = top + (free * share) / shares;
    const bottom = end;
    return {
      width,
      top,
      bottom,
      x: (at) => at * width,
      y: (value) => bottom - positionIn(value, axis.lowest, axis.highest) * (bottom - top),
    };
  });
}

/** Text at an end stays within. */
function anchorOf(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x < 20) return 'start';
  return x > width - 4 ? 'end' : 'middle';
}
