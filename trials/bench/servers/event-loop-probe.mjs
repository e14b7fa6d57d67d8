import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into Periscope by --import: says how long its event loop was held at most since the last reset. The histogram
 * measures from one tick of its timer to the next, so its resolution is taken off.
 */

const RESOLUTION_MS = 1;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

process.on('message', (question) => {
  if (question === 'reset') {
    histogram.reset();
    process.send?.(0);
  } else {
    // The tick that a hold delays is counted once the loop is free again.
    setTimeout(() => process.send?.(Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)), 20);
  }
});
// The bench's end is not to keep it alive, nor to end it.
process.channel?.unref();
