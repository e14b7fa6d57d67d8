import { setFlagsFromString } from 'node:v8';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { OutputError } from '../data/output-error.ts';
import { describeRefusal, isUnavailable, takesNothingIn, tookTooLong } from '../data/servers/unavailable.ts';
import { describeRemedies } from '../data/writing/hold-ups.ts';
import { GatewayError, gatewayErrorOf } from '../errors.ts';
import { FaultError, hindranceOf, IngestError } from '../ingest/events.ts';
import { outliveLostOutput } from '../log.ts';
import { Stop } from '../stop.ts';
import { type Ending, GIVES_RESULT } from './ending.ts';

/** What every command works with. The signal is that of the stop. */
export interface Job {
  readonly config: Config;
  readonly stop: Stop;
  readonly signal: AbortSignal;
}

/** Runs what a command does, and turns what it throws, or its stop, into words and an exit code. */
export type Run = (command: (job: Job) => Promise<void>, ending?: Ending) => Promise<void>;

/** Something in the command line that cannot be, with words for the person who typed it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** How long what a library holds yet, as a connection to who takes no spans, may keep a process that was stopped. */
const LEAVE_MS = 1_000;

/** Runs commands with the settings of an environment. */
export function runWith(env: Readonly<Record<string, string | undefined>>): Run {
  return async (command, ending = GIVES_RESULT) => {
    outliveLostOutput((error) => {
      if (!ending.printsResult) return;
      process.stderr.write(`periscope: ${new OutputError('Standard output', error).message}\n`);
      process.exitCode = EXIT_CODES.failure;
    });
    // What a request leaves behind is little: to divide its collection among threads takes more than it spares.
    setFlagsFromString('--no-parallel-scavenge');
    const stop = Stop.listen();
    if (env['npm_lifecycle_event'] !== undefined) stop.withNpm();
    const { signal, hurry } = stop;
    try {
      await command({ config: readConfig(env), stop, signal });
    } catch (error) {
      const { stopped } = ending;
      // What runs until it is stopped, and is while it still waits to begin, has done what it was asked.
      if (signal.aborted && stopped === null && (error as Error).name === 'AbortError') return;
      // Whatever the stop cuts off fails in its own way.
      const why = (signal.aborted ? stopped : null) ?? explain(error as Error);
      process.stderr.write(`periscope: ${why}\n`);
      if (!hurry.aborted) process.exitCode = isMistake(error) ? EXIT_CODES.usage : EXIT_CODES.failure;
    } finally {
      // A second signal has an end of its own.
      if (signal.aborted) setTimeout(() => hurry.aborted || process.exit(), LEAVE_MS).unref();
    }
  };
}

/** Tells whoever waits of what failed, and is tried again. */
export function sayRetry(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Resolves when a stop is asked for. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Lets go of standard input, by the path `-`, whatever becomes of the work: one that still writes there would keep the process. */
export async function leavingInput(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } finally {
    if (path === '-') process.stdin.destroy();
  }
}

/** How the one line begins that tells of a lost database. What is tried again may go well then. */
export const DATABASE_LOST = 'The database cannot be reached, or was lost: ';

/** What a lost database has to say, in one line. */
export function describeLoss(error: Error): string {
  if (tookTooLong(error)) return `The database server broke a statement off: ${error.message}.`;
  // A name with several addresses fails with an error for each, and none of its own.
  const reasons =
    error instanceof AggregateError ? error.errors.map(({ message }) => message) : [error.message];
  return `${DATABASE_LOST}${reasons.join(', ')}.`;
}

/** Whether the command line or the environment has to be changed before it can work. */
function isMistake(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof UsageError;
}

/** What a person is told of what a command has thrown. */
export function explain(error: Error): string {
  if (error instanceof FaultError && error.fault.event !== null) {
    return `${error.message}\n${describeRemedies(hindranceOf(error, null))}`;
  }
  const known = [ConfigError, UsageError, IngestError, GatewayError, RangeError];
  if (known.some((one) => error instanceof one)) return error.message;
  // A certificate is both: it is told here, and what runs waits for another one.
  const refusal = describeRefusal(error);
  if (refusal !== null) return `The database server at DATABASE_URL ${refusal}.`;
  // Whoever writes may have come to a server that is not promoted yet.
  if (isUnavailable(error) || takesNothingIn(error)) return describeLoss(error);
  return gatewayErrorOf(error)?.message ?? error.stack ?? error.message;
}

/** What the program ends with, and when. A second signal ends it with 128 and the signal's number. */
export const EXIT_CODES = { done: 0, failure: 1, usage: 2, notReady: 3, heldUp: 4, differs: 5 } as const;

/** What the program ends with, in words, for the help and the documentation. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  [String(EXIT_CODES.done), 'done; what runs until it is stopped: stopped in good order'],
  [
    String(EXIT_CODES.failure),
    'failed, or stopped before its end, as standard error says; what was whole is kept',
  ],
  [String(EXIT_CODES.usage), 'the command line or a setting cannot be taken; nothing was begun'],
  [String(EXIT_CODES.notReady), 'status only: no gateway that is ready answers here'],
  [
    String(EXIT_CODES.heldUp),
    'status only: ingest is held up at a block that it cannot apply, whether a gateway is ready or not',
  ],
  [String(EXIT_CODES.differs), 'verify only: the two differ, or what was read again is spoiled'],
  ['130, 143', 'ended at once by a second Ctrl-C or SIGTERM'],
];
