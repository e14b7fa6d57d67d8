import type { Registry } from 'prom-client';
import { defineGauge } from './define.ts';

const HELD_UP = 'periscope_ingest_held_up';

/** Whether ingest is held up, and at which block, where that is known. */
export interface MeasuredHoldUp {
  readonly isHeldUp: boolean;
  readonly block: bigint | null;
}

/**
 * Defines whether ingest is held up: as an ingest of this process knows it or, on a gateway, as the database does. Where
 * a process has both, its ingest, which is defined first, knows more and sooner.
 */
export function defineHoldUp(
  registry: Registry,
  read: () => MeasuredHoldUp | Promise<MeasuredHoldUp | undefined>,
): void {
  if (registry.getSingleMetric(HELD_UP) !== undefined) return;
  defineGauge(
    registry,
    {
      name: HELD_UP,
      help: 'Whether events wait and are not applied: 1, or 0. A gateway tells it of whoever takes events in, as the database has it.',
      together: 'max',
    },
    async () => {
      const found = await read();
      return found === undefined ? [] : [[{}, found.isHeldUp ? 1 : 0]];
    },
  );
  defineGauge(
    registry,
    {
      name: `${HELD_UP}_block`,
      help: 'The height of the block that cannot be applied, because of what it holds or lacks; absent where there is none.',
      together: 'max',
    },
    async () => {
      const block = (await read())?.block ?? null;
      return block === null ? [] : [[{}, Number(block)]];
    },
  );
}
