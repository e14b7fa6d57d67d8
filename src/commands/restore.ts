import { addAbortSignal } from 'node:stream';
import type { Command } from 'commander';
import { migrate } from '../data/migrate.ts';
import { openPlace, openPlaceAsItIs } from '../data/open.ts';
import { addExamples } from './help.ts';
import type { Job, Run } from './run.ts';

export function addRestore(program: Command, run: Run): void {
  const command = program
    .command('restore')
    .description('bring back what backup wrote, into an empty database: all of it or nothing')
    .argument('<file>', 'what backup wrote, packed or not; - for standard input')
    .action((file: string) => {
      const ending = { stopped: 'Stopped: nothing was restored.' };
      return run((job) => restore(job, file, ending), ending);
    });
  addExamples(command, [
    ['DATA_DIR=/srv/periscope/new periscope restore network.sql.gz', 'into a new embedded database'],
    ['DATABASE_URL=postgres://… periscope restore network.sql.gz', 'into an empty database of a server'],
    ['ssh elsewhere periscope backup - | periscope restore -', 'from another machine'],
  ]);
}

const RESTORED = 'Stopped: all is restored; periscope migrate brings it up to date.';

async function restore(
  { config, stop, signal }: Job,
  file: string,
  ending: { stopped: string },
): Promise<void> {
  const { database } = config;
  const chunks = await openFile(file, signal);
  const restoreBackup = await loadRestore();
  await using place = await openPlaceAsItIs(database, { stop });
  try {
    const { network, height, rows, notVacuumed } = await restoreBackup(place.url, chunks, signal);
    ending.stopped = RESTORED;
    if (notVacuumed !== null)
      process.stderr.write(
        `All is restored. It was not vacuumed, which PostgreSQL does later on: ${notVacuumed.message}\n`,
      );
    await bringUpToDate(database, stop);
    const held = network === null ? 'an empty database' : `${network} up to block ${height ?? 'none'}`;
    process.stdout.write(`Restored ${held} into ${place.name}: ${rows} rows.\n`);
  } catch (error) {
    throw await place.explain(error);
  }
}

/** What an older version wrote has its tables. */
async function bringUpToDate(database: Job['config']['database'], stop: Job['stop']): Promise<void> {
  if (database.url !== null) await migrate(database.url, { signal: stop.signal });
  else await (await openPlace(database, { stop }))[Symbol.asyncDispose]();
}

async function openFile(file: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { openByteFile, unpackIfGzip } = await import('../ingest/bytes.ts');
  if (file !== '-') return (await openByteFile(file)).chunks(signal);
  return unpackIfGzip(readInput(signal), 'standard input');
}

async function* readInput(signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  signal.throwIfAborted();
  // A read that waits ends with the stop.
  yield* addAbortSignal(signal, process.stdin) as AsyncIterable<Buffer>;
}

/** Not within `restore`: as in `worker.ts`. */
async function loadRestore() {
  const { restoreBackup } = await import('../data/upkeep/restore.ts');
  return restoreBackup;
}
