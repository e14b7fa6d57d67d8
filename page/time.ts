import { computed, effect, signal } from '@preact/signals';
import type { Block } from '../client/src/index.ts';
import { ask, blockNamedBy } from './connection.ts';
import { graphql } from './graphql.ts';
import { block } from './network.ts';
import { at, showAt } from './place.ts';

const OldestBlock = graphql(`
  query OldestBlock { blocks(first: 1, newestFirst: false) { edges { node { height } } } }
`);

const BlockAt = graphql(`
  query BlockAt($height: Uint64, $time: Timestamp) {
    asOf(height: $height, time: $time) { block { height timestamp } }
  }
`);

/** How fast blocks are played: seconds of the network in one of the reader's. */
export const SPEEDS = [1, 10, 60] as const;

/** The first block that can be shown; null until it is known. */
export const firstHeight = signal<string | null>(null);

/** The block that is shown, where it is not the newest: with its time, once that is known. */
const shownPast = signal<Pick<Block, 'height' | 'timestamp'> | null>(null);

/** How fast the blocks play; null while they do not. */
export const speed = signal<number | null>(null);

/** The block that is shown; its time is null until it is known, and it is null until there is a block. */
export const shownBlock = computed<{ readonly height: string; readonly timestamp: string | null } | null>(
  () => {
    if (at.value === null) return block.value;
    const timestamp = shownPast.value?.height === at.value ? shownPast.value.timestamp : null;
    return { height: at.value, timestamp };
  },
);

/** The first that can be shown is looked for again after a tenth of those that can be, and not more often than after so many blocks. */
const LOOK_AFTER = 10n;

/** Keeps what is known of time up to date, for as long as the page is open. */
export function followTime(): void {
  let isLooking = false;
  let lookedAt = 0n;
  effect(() => {
    // A network may begin after the page is opened; the next block asks again. The oldest blocks may be forgotten later.
    if (block.value === null || isLooking) return;
    const height = BigInt(block.value.height);
    const first = firstHeight.peek();
    const passed = height - lookedAt;
    const isNew = passed >= 0n && (passed < LOOK_AFTER || passed < (height - BigInt(first ?? 0)) / 10n);
    if (first !== null && isNew) return;
    isLooking = true;
    findFirst()
      .then(() => {
        lookedAt = height;
      })
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  });
  effect(() => {
    const height = at.value;
    if (height === null || shownPast.value?.height === height) return;
    // Until its time is known, each new block asks again: the gateway may have been away, or this block not there yet.
    void block.value;
    ask(BlockAt, { height }).then(
      ({ asOf }) => {
        if (at.peek() === height) shownPast.value = asOf?.block ?? null;
      },
      // The panels say what is wrong with the block. Where it is forgotten, a later one is named: the first by now.
      (error) => {
        const named = blockNamedBy(error, height);
        if (named !== null && BigInt(named) > BigInt(height)) firstHeight.value = named;
      },
    );
  });
  effect(() => {
    if (at.value === null) speed.value = null;
  });
}

/** The oldest block may be forgotten: the gateway then names the first that can be asked about. */
async function findFirst(): Promise<void> {
  const { blocks } = await ask(OldestBlock, {});
  const height = blocks.edges[0]?.node.height;
  if (height === undefined) return;
  try {
    await ask(BlockAt, { height });
    firstHeight.value = height;
  } catch (error) {
    const named = blockNamedBy(error, height);
    if (named === null) throw error;
    firstHeight.value = named;
  }
}

const TICK_MS = 200;
/** Which play is on: another may begin while the last one waits for its block. */
let turn = 0;

/** Runs forward from the block that is shown, by the blocks' own times, until it is live or something else is chosen. */
export async function play(times: number): Promise<void> {
  const from = shownPast.peek();
  if (from === null || at.peek() !== from.height) return;
  speed.value = times;
  turn += 1;
  const mine = turn;
  const isOn = () => turn === mine && speed.peek() !== null;
  const begun = performance.now();
  let [isOver, last] = [false, from.height];
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    const passed = BigInt(Math.round((performance.now() - begun) * times)) * 1_000_000n;
    const time = BigInt(from.timestamp) + passed;
    isOver = !isOn() || at.peek() !== last || (await step(time, last, isOn)) === null;
    last = at.peek() ?? '';
  }
  if (isOn()) speed.value = null;
}

/** Shows the block at a time; null where play is over: it is the newest, or something else was chosen meanwhile, be it a speed. */
async function step(time: bigint, last: string, isOn: () => boolean): Promise<string | null> {
  const newest = block.peek();
  if (newest !== null && time >= BigInt(newest.timestamp)) {
    showAt(null);
    return null;
  }
  // A gateway that does not answer now is asked again with the next step.
  const answer = await ask(BlockAt, { time: `${time}` }).catch(() => null);
  const there = answer?.asOf?.block;
  if (!isOn() || at.peek() !== last) return null;
  if (there && there.height !== last) {
    shownPast.value = there;
    showAt(there.height);
  }
  return there?.height ?? last;
}
