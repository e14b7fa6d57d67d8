import type { Logger } from 'pino';
import { defaultDataDir } from '../data/embedded/postgres.ts';
import { openPlace } from '../data/open.ts';
import type { PeerAddress } from '../ingest/socket/listen.ts';
import { VERSION } from '../reference/about.ts';
import { findDecode } from './decoding.ts';
import type { Job } from './run.ts';

/** Listens where a core node dials, and takes in what it sends. Whoever starts it closes it. */
export async function startCoreSocket(
  { config, stop }: Job,
  address: PeerAddress,
  { logger, skipDamaged }: { readonly logger: Logger; readonly skipDamaged: boolean },
) {
  const { database, ingest } = config;
  const spool = { folder: spoolFolder(config), limit: ingest.spoolLimit };
  const { historyBlocks } = ingest;
  const { startSocketIngest } = await import('../ingest/socket/run.ts');
  const decode = await findDecode(skipDamaged);
  return startSocketIngest({
    address,
    spool,
    openPlace: () => openPlace(database, { stop }),
    historyBlocks,
    decode,
    version: VERSION,
    logger,
  });
}

/** Where a core node's events wait for the database. */
export function spoolFolder({ database, ingest }: Job['config']): string {
  return ingest.spoolDir ?? `${database.dataDir ?? defaultDataDir()}-spool`;
}
