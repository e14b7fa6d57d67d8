import { type Logger, pino } from 'pino';

/** What may wait to be written while it cannot be; what comes beyond is lost. */
const MAX_WAITING_BYTES = 2 ** 20;

/** A logger to standard output that goes on where nobody can read it any more: the terminal is closed, the disk full. */
export function createLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, maxLength: MAX_WAITING_BYTES });
  output.on('error', () => {
    // It would try for ever at the end of the process.
    output.flushSync = () => {};
  });
  return pino({ level }, output);
}

/** The same for what is written without a log. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
