import type { Command } from 'commander';
import { openReadingPlace } from '../data/open.ts';
import { readExcessAt } from '../data/readers.ts';
import type { PeerAddress } from '../ingest/socket/listen.ts';
import { createLogger } from '../log.ts';
import { readAddress } from './arguments.ts';
import { startCoreSocket } from './core-socket.ts';
import { addExamples } from './help.ts';
import { aborted, type Job, type Run } from './run.ts';

const WIDE_ROLE =
  'the role that serves may do more than read; "npm run migrate -- --reader NAME" makes one that may not';

export function addServe(program: Command, run: Run): void {
  const command = program
    .command('serve')
    .description('serve what the database holds')
    .option(
      '--ingest <address>',
      'take in what a core node sends as well, as "ingest socket" does',
      readAddress,
    )
    .action(({ ingest: address }: { ingest?: PeerAddress }) => run((job) => serve(job, address)));
  addExamples(command, [
    ['periscope serve', 'on http://127.0.0.1:3008, from the embedded database'],
    ['PORT=8080 DATABASE_URL=postgres://… periscope serve', 'from a server of your own'],
    ['periscope serve --ingest tcp://127.0.0.1:3005', 'and take in a live network besides'],
  ]);
}

/** With a core node to listen for, either both run or neither: what stops the ingest for good stops the serving. */
async function serve(job: Job, address: PeerAddress | undefined): Promise<void> {
  const { config, stop, signal } = job;
  const logger = createLogger(config.log.level);
  // What serves takes as long to load as PostgreSQL to start: meanwhile.
  const meanwhile = () => void loadGateway().catch(() => {});
  await using place = await openReadingPlace(config.database, { stop, meanwhile });
  const rights = await readExcessAt(place.url);
  if (rights.length > 0) logger.warn({ rights }, WIDE_ROLE);
  await using core = address ? await startCoreSocket(job, address, logger) : null;
  const startGateway = await loadGateway();
  await using gateway = await startGateway({ config, databaseUrl: place.url, logger });
  const { url } = gateway;
  logger.info({ url, graphql: `${url}/graphql`, database: place.name }, 'listening');
  await (core ? Promise.race([aborted(signal), core.failed]) : aborted(signal));
  logger.info('stopping');
}

/**
 * What serves is loaded where it is wanted, and so is what takes in: either starts sooner without the other. (Not within
 * `serve`: in a function that has `await using`, TypeScript 6 leaves the path of an `import()` as it is.)
 */
async function loadGateway() {
  const { startGateway } = await import('../server.ts');
  return startGateway;
}
