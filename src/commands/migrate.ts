import type { Command } from 'commander';
import { migrate } from '../data/migrate.ts';
import { openPlace } from '../data/open.ts';
import { refuseHalfIngestedAt } from '../data/parts/progress-table.ts';
import { grantReader, refusalOfName } from '../data/upkeep/readers.ts';
import { addExamples } from './help.ts';
import { type Job, type Run, UsageError } from './run.ts';

const EMBEDDED_READER =
  '--reader is for a server at DATABASE_URL; the embedded database has its own role that only reads.';

export function addMigrate(program: Command, run: Run): void {
  const command = program
    .command('migrate')
    .description("make this version's tables in the database")
    .option('--reader <role>', 'let this role read them, and nothing else; it is made where it is not there')
    .action(({ reader }: { reader?: string }) => {
      const ending: { stopped: string | null } = { stopped: 'Stopped before the tables were up to date.' };
      return run((job) => migrateDatabase(job, reader, ending), ending);
    });
  addExamples(command, [
    ['DATABASE_URL=postgres://… periscope migrate', 'on a server of your own; again, it does nothing'],
    ['DATABASE_URL=postgres://… periscope migrate --reader periscope_reader', 'and a role for what serves'],
  ]);
}

async function migrateDatabase(
  { config, stop, signal }: Job,
  reader: string | undefined,
  ending: { stopped: string | null },
): Promise<void> {
  const { url } = config.database;
  if (url === null) {
    if (reader !== undefined) throw new UsageError(EMBEDDED_READER);
    // Opening the embedded database brings it up to date.
    await using place = await openPlace(config.database, { stop });
    await refuseHalfIngestedAt(place.url);
    process.stdout.write(`The embedded database in ${place.name} is up to date.\n`);
    return;
  }
  const complaint = reader === undefined ? null : refusalOfName(reader);
  if (complaint !== null) throw new UsageError(complaint);
  const applied = await migrate(url, { signal });
  // What fails from here on has its own reason.
  ending.stopped = null;
  // It refuses that itself where there is something to apply.
  await refuseHalfIngestedAt(url);
  process.stdout.write(applied.length === 0 ? 'Up to date already.\n' : `Applied ${applied.join(', ')}.\n`);
  if (reader === undefined) return;
  const isNew = await grantReader(url, reader);
  process.stdout.write(`The role ${reader} may read the tables.\n`);
  if (isNew) process.stdout.write(`It is new and has no password; \\password in psql gives it one.\n`);
}
