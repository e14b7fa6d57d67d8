import { compare, positionIn, write } from './decimals.ts';

/** A price to mark on a scale. */
export interface Mark {
  readonly name: string;
  readonly at: string;
  readonly kind: string;
}

/** Prices side by side, each with its name on a line of its own, so that none hides another. */
export function Scale({ marks, decimals }: { readonly marks: readonly Mark[]; readonly decimals: number }) {
  const sorted = marks.map(({ at }) => at).sort(compare);
  const [lowest = '0', highest = '0'] = [sorted[0], sorted.at(-1)];
  return (
    <ul class="scale" aria-label="Liquidation prices beside the mark price">
      {marks.map(({ name, at, kind }) => {
        const share = positionIn(at, lowest, highest);
        const { whole, fraction } = write(at, decimals);
        return (
          <li key={kind} class={kind}>
            <span
              class="label"
              title={at}
              style={{ left: `${share * 100}%`, transform: `translateX(${-share * 100}%)` }}
            >
              {name}{' '}
              <strong>
                {whole}
                {fraction}
              </strong>
            </span>
            <span class="tick" style={{ left: `${share * 100}%` }} />
          </li>
        );
      })}
    </ul>
  );
}
