import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { openPlaceAsItIs } from '../data/open.ts';
import { OutputError } from '../data/output-error.ts';
import type { BackupSummary } from '../data/upkeep/backup.ts';
import { VERSION } from '../reference/about.ts';
import { addExamples } from './help.ts';
import { openReadable } from './readable-place.ts';
import type { Job, Run } from './run.ts';

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
  await using place = await openReadable(config, stop, openPlaceAsItIs);
  try {
    const { summary, size } = await (file === '-' ? writeToOutput : writeToFile)(place.url, file, signal);
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

/** A name that is there has a whole backup: what is unfinished has another. */
async function writeToFile(url: string, file: string, signal: AbortSignal): Promise<Written> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    return await writeBackup(url, file, signal, async (chunks) => {
      const output = createWriteStream(partial, { flush: true, flags: 'wx' });
      await (file.endsWith('.gz')
        ? pipeline(chunks, createGzip(), output, { signal })
        : pipeline(chunks, output, { signal }));
      const { size } = await stat(partial);
      await rename(partial, file);
      return size;
    });
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
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
