import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { lstat, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { openPlaceAsItIs } from '../data/open.ts';
import { OutputError } from '../data/output-error.ts';
import type { BackupSummary } from '../data/upkeep/backup.ts';
import { VERSION } from '../reference/about.ts';
import { addExamples } from './help.ts';
import { openReadable } from './readable-place.ts';
import { type Job, type Run, UsageError } from './run.ts';

export function addBackup(program: Command, run: Run): void {
  const command = program
    .command('backup')
    .description('write down all that the database holds at one moment, while it is in use')
    .argument('<file>', 'a script of SQL, packed where it ends in .gz; - for standard output')
    .action((file: string) =>
      run((job) => backUp(job, file), { stopped: 'Stopped: no backup was written.' }),
    );
  addExamples(command, [
    ['periscope backup network.sql.gz', 'the embedded database; a file that is there is replaced at the end'],
    ['DATABASE_URL=postgres://… periscope backup network.sql.gz', 'a server of your own'],
    ['periscope backup - | ssh elsewhere "cat > network.sql"', 'to another machine'],
  ]);
}

async function backUp(job: Job, file: string): Promise<void> {
  const { config, stop, signal } = job;
  const write = await writerOf(file);
  await using place = await openReadable(config, stop, openPlaceAsItIs);
  try {
    const { summary, size } = await write(place.url, file, signal);
    const { network, height, rows } = summary;
    const held = network === null ? 'an empty database' : `${network} up to block ${height ?? 'none'}`;
    // Standard output may be the backup itself.
    process.stderr.write(`Backed up ${held}: ${rows} rows${size === null ? '' : `, ${size} bytes`}.\n`);
  } catch (error) {
    throw await place.explain(error);
  }
}

interface Written {
  readonly summary: BackupSummary;
  readonly size: number | null;
}

/** What is no regular file, as a pipe or a device, stays what it is. */
async function writerOf(file: string): Promise<typeof writeToFile> {
  if (file.trim() === '')
    throw new UsageError('The name of the file is blank: name a file, or - for standard output.');
  // Where it leads to a file, that may be appended to.
  if (file === '-' || file === '/dev/stdout') return writeToOutput;
  const found = await stat(file).catch(() => null);
  if (found === null && (await lstat(file).catch(() => null)) !== null)
    throw new UsageError(`${file} is a link to what is not there: name a file.`);
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder: name a file in it.`);
  return found === null || found.isFile() ? writeToFile : writeThrough;
}

/** A name that is there has a whole backup: what is unfinished has another, which no other process has. */
async function writeToFile(url: string, file: string, signal: AbortSignal): Promise<Written> {
  // What a link leads to is replaced, and not the link.
  const whole = await realpath(file).catch(() => file);
  const partial = `${whole}.${randomUUID()}.partial`;
  try {
    return await writeBackup(url, file, signal, async (chunks) => {
      await fill(createWriteStream(partial, { flush: true, flags: 'wx' }), file, chunks, signal);
      const { size } = await stat(partial);
      await rename(partial, whole);
      return size;
    });
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function writeThrough(url: string, file: string, signal: AbortSignal): Promise<Written> {
  return writeBackup(url, file, signal, async (chunks) => {
    await fill(createWriteStream(file), file, chunks, signal);
    return null;
  });
}

/** Packs it where the name says so. */
function fill(
  output: WriteStream,
  file: string,
  chunks: AsyncIterable<Buffer | string>,
  signal: AbortSignal,
): Promise<void> {
  return file.endsWith('.gz')
    ? pipeline(chunks, createGzip(), output, { signal })
    : pipeline(chunks, output, { signal });
}

function writeToOutput(url: string, _file: string, signal: AbortSignal): Promise<Written> {
  return writeBackup(url, 'Standard output', signal, async (chunks) => {
    await pipeline(chunks, process.stdout, { signal, end: false });
    return null;
  });
}

/** Gives what there is to write to what writes it. Throws what the database says as it is, and else an OutputError. */
async function writeBackup(
  url: string,
  output: string,
  signal: AbortSignal,
  write: (chunks: AsyncGenerator<Buffer | string, void>) => Promise<number | null>,
): Promise<Written> {
  const { readBackup } = await import('../data/upkeep/backup.ts');
  let summary: BackupSummary | undefined;
  let failure: unknown;
  async function* read() {
    try {
      summary = yield* readBackup(url, { version: VERSION, signal });
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const size = await write(read()).catch((error: Error) => {
    throw failure ?? new OutputError(output, error);
  });
  return { summary: summary as BackupSummary, size };
}
