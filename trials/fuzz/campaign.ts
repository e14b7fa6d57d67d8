import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Figures } from './figures.ts';

/** One sort of input, and what there is to complain of when it is sent. */
export interface Kind<Input> {
  readonly name: string;
  /** Its part of all inputs, in percent. */
  readonly share: number;
  /** How many are on their way at once. */
  readonly lanes: number;
  readonly inputs: fc.Arbitrary<Input>;
  /** What a person would send to see the same. */
  readonly show: (input: Input) => string;
  readonly send: (input: Input) => Promise<Finding>;
}

/** What one input did. */
export interface Finding {
  /** What came of it, for the figures: the status of each answer, or a word. */
  readonly came: readonly string[];
  /** Null where all is as promised. */
  readonly fault: string | null;
}

export interface Fault {
  readonly kind: string;
  readonly message: string;
  /** The smallest input that was found to do the same. */
  readonly input: string;
}

export interface Outcome {
  readonly figures: Figures;
  readonly faults: readonly Fault[];
}

/** How long a run goes on, and by what its inputs are chosen. */
export interface Orders {
  /** Of all kinds together. */
  readonly inputs: number;
  readonly seed: number;
  /** Ends it: nothing is learnt from a gateway that is gone. */
  readonly isOver: () => boolean;
}

/** Few enough that lanes share even a small run, and that a fault does not hide those behind it. */
const BATCH = 50;
const MOST_FAULTS = 5;
/** For a batch and the search for a smaller input, which may hang as the first one did. */
const BATCH_LIMIT_MS = 300_000;

/** A kind under way, whatever its inputs are. */
export interface Campaign {
  readonly figures: Figures;
  readonly outcome: Promise<Outcome>;
}

/** Begins to send the kind's share of the inputs, until it has its most faults. */
export function startCampaign<Input>(kind: Kind<Input>, orders: Orders): Campaign {
  const figures = new Figures(kind.name);
  return { figures, outcome: runKind(kind, orders, figures) };
}

/**
 * The seed decides the inputs of each batch, whatever else is under way; which of the batches of several lanes meet at the
 * gateway it does not decide.
 */
async function runKind<Input>(kind: Kind<Input>, orders: Orders, figures: Figures): Promise<Outcome> {
  const faults: Fault[] = [];
  let left = Math.ceil((orders.inputs * kind.share) / 100);
  let batch = 0;
  const lane = async () => {
    while (left > 0 && faults.length < MOST_FAULTS && !orders.isOver()) {
      const size = Math.min(BATCH, left);
      left -= size;
      batch += 1;
      const fault = await runBatch(kind, size, (orders.seed * 1_000_003 + batch) | 0, orders.isOver, figures);
      if (fault === null || faults.some(({ message }) => message === fault.message)) continue;
      faults.push(fault);
      console.info(describeFault(fault));
    }
  };
  await Promise.all(Array.from({ length: kind.lanes }, lane));
  figures.finish();
  return { figures, faults };
}

async function runBatch<Input>(
  kind: Kind<Input>,
  numRuns: number,
  seed: number,
  isOver: () => boolean,
  figures: Figures,
): Promise<Fault | null> {
  const property = fc.asyncProperty(kind.inputs, async (input) => {
    fc.pre(!isOver());
    // A kind that waits for nothing would keep all others from sending and reading.
    await nextTurn();
    const start = performance.now();
    const { came, fault } = await kind.send(input);
    figures.add(performance.now() - start, came, () => kind.show(input));
    if (fault !== null) throw new Error(fault);
  });
  const result = await fc.check(property, {
    numRuns,
    seed,
    maxSkipsPerRun: numRuns,
    interruptAfterTimeLimit: BATCH_LIMIT_MS,
  });
  if (result.counterexample === null) {
    if (!result.interrupted) return null;
    const message = `${numRuns} inputs took longer than ${BATCH_LIMIT_MS} ms`;
    return { kind: kind.name, message, input: `fast-check's seed ${seed}` };
  }
  const [input] = result.counterexample;
  const error = result.errorInstance;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: kind.name, message, input: kind.show(input) };
}

function describeFault({ kind, message, input }: Fault): string {
  return `FAULT of ${kind}: ${message}\n${input}`;
}
