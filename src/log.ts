import { type DestinationStream, type Logger, pino } from 'pino';

/** What may wait to be written while it cannot be; what comes beyond is lost. */
const MAX_WAITING_BYTES = 2 ** 20;
/** pino's number of the level from which on a line is written at once. */
const WARN = 40;
/** How long lines of no fault are gathered, and how many characters of them. */
const GATHERED_FOR_MS = 20;
const MAX_GATHERED = 2 ** 16;

/** A logger to standard output that goes on where nobody can read it any more: the terminal is closed, the disk full. */
export function createLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, maxLength: MAX_WAITING_BYTES });
  output.on('error', () => {
    // It would try for ever at the end of the process.
    output.flushSync = () => {};
  });
  return pino({ level }, gatherLines(output));
}

/** Outlives the loss of output that is written without a log. Tells of what standard output does not take, but not where its reader has enough. */
export function outliveLostOutput(onLost: (error: NodeJS.ErrnoException) => void): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') onLost(error);
  });
}

/** Gathers lines for a moment: to write each by itself costs as much as half a kept answer. */
function gatherLines(output: ReturnType<typeof pino.destination>): GatheredLines {
  let lines = '';
  let due: NodeJS.Timeout | undefined;
  const writeLines = () => {
    clearTimeout(due);
    due = undefined;
    const gathered = lines;
    lines = '';
    if (gathered !== '') output.write(gathered);
  };
  process.on('exit', () => {
    writeLines();
    output.flushSync();
  });
  return {
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line) {
      lines += line;
      if (this.lastLevel >= WARN || lines.length > MAX_GATHERED) writeLines();
      else due ??= setTimeout(writeLines, GATHERED_FOR_MS);
    },
  };
}

/** pino tells it the level of each line. */
interface GatheredLines extends DestinationStream {
  readonly [pino.symbols.needsMetadataGsym]: true;
  lastLevel: number;
}
