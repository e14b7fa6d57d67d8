import { compare, positionIn, write } from './decimals.ts';

/** A price to mark on a scale. */
export interface Mark {
  readonly name: string;
  readonly at: string;
  readonly kind: string;
}

/** How much of the scale is beyond the marks, on each side. */
const MARGIN = 0.08;

/**
 * Prices side by side, each a flag on a line of its own, so that none hides another. The ground is another where the
 * position would be closed out: on that side of the last mark.
 */
export function Scale({ marks, decimals, closedOut }: ScaleProps) {
  const sorted = marks.map(({ at }) => at).sort(compare);
  const [lowest = '0', highest = '0'] = [sorted[0], sorted.at(-1)];
  const shareOf = (at: string) => MARGIN + positionIn(at, lowest, highest) * (1 - 2 * MARGIN);
  const end = shareOf(marks.at(-1)?.at ?? '0');
  return (
    <div class="scale">
      <div
        class="closed-out"
        style={
          closedOut === 'below' ? { left: 0, right: percent(1 - end) } : { left: percent(end), right: 0 }
        }
      />
      <ul aria-label="The mark price and the liquidation prices">
        {marks.map(({ name, at, kind }) => {
          const share = shareOf(at);
          const { whole, fraction } = write(at, decimals);
          const isLeft = share < 0.5;
          return (
            <li
              key={kind}
              class={`${kind} ${isLeft ? 'left' : 'right'}`}
              title={at}
              style={isLeft ? { left: percent(share) } : { right: percent(1 - share) }}
            >
              {name}{' '}
              <strong>
                {whole}
                {fraction}
              </strong>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ScaleProps {
  readonly marks: readonly Mark[];
  readonly decimals: number;
  readonly closedOut: 'below' | 'above';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
