import type { Pointing } from './frame.tsx';

/** What is read at a point: a name, its value as text, and how it is drawn. */
export interface Reading {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
}

/** What is read where the reader points, and at the newest point where nowhere. */
export function Readings({ points, pointed, read }: Pointing) {
  const index = indexOf(points, pointed.value);
  return (
    <dl class="readings">
      {points.length > 0 &&
        read(index).map(({ name, value, kind }) => (
          <div key={name} class={kind}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/**
 * The points for the keyboard and for screen readers: arrows go from one to the next, and each is read out. Enter begins
 * and ends a range, and Escape leaves it.
 */
export function Slider({ points, pointed, anchor, read, onRange, name, describedBy }: SliderProps) {
  const index = indexOf(points, pointed.value);
  const said =
    points.length === 0
      ? 'nothing'
      : read(index)
          .map(({ name, value }) => `${name} ${value}`)
          .join(', ');
  return (
    <input
      type="range"
      class="unseen"
      aria-label={name}
      aria-describedby={describedBy}
      aria-valuetext={said}
      min={0}
      max={Math.max(0, points.length - 1)}
      value={index}
      onFocus={() => {
        pointed.value ??= points[index]?.key ?? null;
      }}
      onInput={(event) => {
        pointed.value = points[event.currentTarget.valueAsNumber]?.key ?? null;
      }}
      onBlur={() => {
        pointed.value = anchor.value = null;
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') anchor.value = null;
        if (key === 'Enter') choose({ points, pointed, anchor, read, onRange });
      }}
    />
  );
}

type SliderProps = Pointing & { readonly name: string; readonly describedBy: string };

/** The line where the reader points, what is being chosen, and the ground that takes the pointer. */
export function Crosshair(props: CrosshairProps) {
  const { points, pointed, anchor, onRange, width, top, bottom } = props;
  const isPointed = pointed.value !== null && points.length > 0;
  const x = (points[indexOf(points, pointed.value)]?.at ?? 0) * width;
  const from = anchor.value === null ? x : (points[indexOf(points, anchor.value)]?.at ?? 0) * width;
  const point = (event: PointerEvent) => {
    const place = event.currentTarget as SVGElement;
    pointed.value = nearest(points, (event.clientX - place.getBoundingClientRect().left) / width);
  };
  return (
    <>
      {isPointed && anchor.value !== null && (
        <rect class="chosen" x={Math.min(x, from)} width={Math.abs(x - from)} y={top} height={bottom - top} />
      )}
      {isPointed && <line class="crosshair" x1={x} x2={x} y1={top} y2={bottom} />}
      <rect
        class="ground"
        width={width}
        height={bottom}
        onPointerMove={point}
        onPointerDown={(event) => {
          point(event);
          if (onRange && event.pointerType === 'mouse') anchor.value = pointed.value;
        }}
        onPointerUp={() => anchor.value !== null && choose(props)}
        onPointerLeave={() => {
          pointed.value = anchor.value = null;
        }}
      />
    </>
  );
}

type CrosshairProps = Pointing & {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
};

/** Begins a range, or ends the one that is begun. */
function choose({ points, pointed, anchor, onRange }: Pointing): void {
  if (onRange === undefined) return;
  if (anchor.value === null) {
    anchor.value = pointed.value;
    return;
  }
  const ends = [indexOf(points, anchor.value), indexOf(points, pointed.value)].sort((a, b) => a - b);
  anchor.value = null;
  const [from, to] = ends.map((index) => points[index]?.at ?? 0) as [number, number];
  if (to > from) onRange(from, to);
}

/** The last where none is meant, or the one that was meant is gone. */
function indexOf(points: Pointing['points'], key: string | null): number {
  const index = key === null ? -1 : points.findIndex((point) => point.key === key);
  return index < 0 ? Math.max(0, points.length - 1) : index;
}

function nearest(points: Pointing['points'], at: number): string | null {
  let best = points[0];
  for (const point of points) if (best && Math.abs(point.at - at) < Math.abs(best.at - at)) best = point;
  return best?.key ?? null;
}
