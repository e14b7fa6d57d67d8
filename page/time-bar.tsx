import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { write } from './decimals.ts';
import { block } from './network.ts';
import { at, showAt } from './place.ts';
import { firstHeight, play, SPEEDS, shownBlock, speed } from './time.ts';
import { Time } from './values.tsx';

/** Which block everything is shown as of, and the way to another: live, or any that is kept. */
export function TimeBar() {
  const shown = shownBlock.value;
  const isLive = at.value === null;
  return (
    <div class={isLive ? 'time-bar' : 'time-bar past'}>
      <dl>
        <div class="figure">
          <dt>Block</dt>
          <dd id="height">{shown ? write(shown.height).whole : '–'}</dd>
        </div>
        <div class="figure">
          <dt>Time</dt>
          <dd class="clock">{shown?.timestamp ? <Time of={shown.timestamp} /> : '–'}</dd>
        </div>
      </dl>
      <Slider />
      <div class="playing">
        <button type="button" class="live-button" aria-pressed={isLive} onClick={() => showAt(null)}>
          Live
        </button>
        {SPEEDS.map((times) => (
          <button
            key={times}
            type="button"
            // What runs forward does so from a time.
            disabled={isLive || !shown?.timestamp}
            aria-pressed={speed.value === times}
            title={`Run forward at ${times} times the speed of the network`}
            onClick={() => {
              if (speed.value === times) speed.value = null;
              else void play(times);
            }}
          >
            <span class="unseen">Play at </span>
            {times}×
          </button>
        ))}
      </div>
    </div>
  );
}

/** The pause after which what is dragged to is shown. */
const WAIT_MS = 80;

/** The blocks that can be shown, from the first to the newest. Positions count from the first, so that no height is too large. */
function Slider() {
  const dragged = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const first = BigInt(firstHeight.value ?? 0);
  const newest = BigInt(block.value?.height ?? first);
  const height = dragged.value ?? at.value ?? `${newest}`;
  const choose = (position: number) => {
    const chosen = first + BigInt(position);
    dragged.value = `${chosen}`;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      dragged.value = null;
      showAt(chosen >= newest ? null : `${chosen}`);
    }, WAIT_MS);
  };
  return (
    <input
      type="range"
      class="slider"
      aria-label="Block that is shown"
      min={0}
      max={Number(newest - first)}
      value={Number(BigInt(height) - first)}
      disabled={firstHeight.value === null || block.value === null}
      aria-valuetext={`Block ${write(height).whole}${height === `${newest}` ? ', the newest' : ''}`}
      onInput={(event) => choose(event.currentTarget.valueAsNumber)}
    />
  );
}
