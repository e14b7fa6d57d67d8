import fc from 'fast-check';

/** One sort of input, and what there is to complain of when it is sent. */
export interface Kind<Input> {
  readonly name: string;
  /** Its part of all inputs. */
  readonly share: number;
  /** How many are on their way at once. */
  readonly lanes: number;
  readonly inputs: fc.Arbitrary<Input>;
  /** What a person would send to see the same. */
  readonly show: (input: Input) => string;
  /** Sends it; null where all is as promised. */
  readonly faultOf: (input: Input) => Promise<string | null>;
}

export interface Fault {
  readonly kind: string;
  readonly message: string;
  /** The smallest input that was found to do the same. */
  readonly input: string;
}

export interface Outcome {
  readonly kind: string;
  readonly inputs: number;
  readonly seconds: number;
  readonly faults: readonly Fault[];
}

/** Few enough that a fault does not hide those behind it, and that memory stays small. */
const BATCH = 250;
const MOST_FAULTS = 5;
/** For a batch and the search for a smaller input, which may hang as the first one did. */
const BATCH_LIMIT_MS = 300_000;

/** A kind, whatever its inputs are. */
export interface Campaign {
  readonly share: number;
  run(count: number, seed: number, isOver: () => boolean): Promise<Outcome>;
}

export function campaign<Input>(kind: Kind<Input>): Campaign {
  return { share: kind.share, run: (count, seed, isOver) => runKind(kind, count, seed, isOver) };
}

/**
 * Sends so many inputs of a kind, chosen by the seed, until it has its most faults. Each fault is told with a smaller
 * input, where one does the same. `isOver` ends it: nothing is learnt from a gateway that is gone.
 */
async function runKind<Input>(
  kind: Kind<Input>,
  count: number,
  seed: number,
  isOver: () => boolean,
): Promise<Outcome> {
  const start = performance.now();
  const faults: Fault[] = [];
  let sent = 0;
  let batch = 0;
  const lane = async () => {
    while (sent < count && faults.length < MOST_FAULTS && !isOver()) {
      const size = Math.min(BATCH, count - sent);
      sent += size;
      batch += 1;
      const fault = await runBatch(kind, size, (seed * 7919 + batch) | 0, isOver);
      if (fault !== null && !faults.some(({ message }) => message === fault.message)) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: kind.lanes }, lane));
  return { kind: kind.name, inputs: sent, seconds: (performance.now() - start) / 1000, faults };
}

async function runBatch<Input>(
  kind: Kind<Input>,
  numRuns: number,
  seed: number,
  isOver: () => boolean,
): Promise<Fault | null> {
  const property = fc.asyncProperty(kind.inputs, async (input) => {
    fc.pre(!isOver());
    const fault = await kind.faultOf(input);
    if (fault !== null) throw new Error(fault);
  });
  const result = await fc.check(property, {
    numRuns,
    seed,
    maxSkipsPerRun: numRuns,
    interruptAfterTimeLimit: BATCH_LIMIT_MS,
  });
  if (!result.failed || result.counterexample === null) return null;
  const [input] = result.counterexample;
  const error = result.errorInstance;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: kind.name, message, input: kind.show(input) };
}

/** For a person: a line, and each fault after it. */
export function describeOutcome({ kind, inputs, seconds, faults }: Outcome): string {
  const line =
    `${kind.padEnd(14)} ${String(inputs).padStart(9)} inputs ${seconds.toFixed(1).padStart(8)} s ` +
    `${String(Math.round(inputs / seconds)).padStart(7)} a second   ${faults.length} faults`;
  return [line, ...faults.map(({ message, input }) => `FAULT of ${kind}: ${message}\n${input}`)].join('\n');
}
