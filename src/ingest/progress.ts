import { performance } from 'node:perf_hooks';
import { Presets, SingleBar } from 'cli-progress';
import type { EventSource } from './events.ts';

/** Shows a person how far an ingest has come. Whoever started it stops it, also after an error. */
export interface Progress {
  /** After each block, with the totals since the start; shown only as often as can be read. */
  update(totals: Totals): void;
  /** Shows the last totals and gives the terminal back. */
  stop(): void;
}

interface Totals {
  readonly applied: number;
  readonly skipped: number;
}

const BAR_INTERVAL = 100;
const LINE_INTERVAL = 5_000;
/** The rate is of the last milliseconds, so many, so that it follows a source that slows down. */
const RATE_WINDOW = 10_000;

/**
 * A bar with rate and time left where the stream is a terminal and the source's end is known; on a terminal
 * otherwise the same without a bar; elsewhere plain lines, one every five seconds at most, and one at the end. Before
 * the first block it says nothing.
 * `now` gives milliseconds from any beginning.
 */
export function reportProgress(
  source: Pick<EventSource, 'progress'>,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  now: () => number = () => performance.now(),
): Progress {
  const display = stream.isTTY ? startBar(source, stream) : startLines(stream);
  const samples: Sample[] = [sampleOf(0)];
  let blocks = 0;

  function sampleOf(count: number): Sample {
    return { at: now(), blocks: count, done: source.progress().done };
  }

  function show(): void {
    const latest = sampleOf(blocks);
    const text = describe(samples[0] ?? latest, latest, source.progress().total);
    display.show(latest.done, text);
    samples.push(latest);
    // One that is older stays, so that there is a window to speak of.
    while (latest.at - (samples[1]?.at ?? latest.at) >= RATE_WINDOW) samples.shift();
  }

  return {
    update({ applied, skipped }) {
      // How fast blocks are passed by that are there already says nothing of how fast new ones are applied.
      if (applied === 1) samples.splice(0, samples.length, sampleOf(blocks));
      blocks = applied + skipped;
      if (now() - (samples.at(-1)?.at ?? 0) >= display.interval) show();
    },
    stop() {
      if (blocks > 0) show();
      display.stop();
    },
  };
}

interface Sample {
  readonly at: number;
  readonly blocks: number;
  readonly done: number;
}

interface Display {
  readonly interval: number;
  show(done: number, text: string): void;
  stop(): void;
}

function describe(first: Sample, latest: Sample, total: number | null): string {
  const seconds = (latest.at - first.at) / 1000;
  const parts = [count(latest.blocks, 'block')];
  if (seconds > 0) {
    const rate = Math.round((latest.blocks - first.blocks) / seconds);
    parts.push(`${rate.toLocaleString('en')} blocks/s`);
  }
  const speed = (latest.done - first.done) / seconds;
  if (total !== null && latest.done < total && speed > 0) {
    parts.push(`${formatDuration((total - latest.done) / speed)} left`);
  }
  return parts.join(', ');
}

/** How many there are of a thing, as in `1,088 blocks`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function startLines(stream: NodeJS.WritableStream): Display {
  return {
    interval: LINE_INTERVAL,
    show: (_done, text) => stream.write(`${text}\n`),
    stop: () => undefined,
  };
}

function startBar(source: Pick<EventSource, 'progress'>, stream: NodeJS.WritableStream): Display {
  const { done, total } = source.progress();
  const bar = new SingleBar(
    {
      format: total === null ? '{text}' : '{bar} {percentage}%  {text}',
      stream,
      hideCursor: true,
      // The command line handles signals itself, and stops the bar then.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  let started = false;
  const giveBack = () => {
    process.off('exit', giveBack);
    bar.stop();
  };
  return {
    interval: BAR_INTERVAL,
    show(value, text) {
      if (!started) {
        bar.start(total ?? 0, done, { text });
        // A second Ctrl-C ends the process where it is.
        process.once('exit', giveBack);
      }
      started = true;
      bar.update(value, { text });
    },
    stop() {
      if (started) giveBack();
    },
  };
}
