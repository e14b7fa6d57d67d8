import type { Command } from 'commander';
import type { Logger } from 'pino';
import { defaultDataDir } from '../data/embedded/postgres.ts';
import { openPlace } from '../data/open.ts';
import type { DecodeEvent } from '../ingest/decode.ts';
import type { PeerAddress } from '../ingest/socket/listen.ts';
import { VERSION } from '../reference/about.ts';
import type { Job } from './run.ts';

interface CoreSocketOptions {
  readonly logger: Logger;
  readonly skipDamaged: boolean;
  /** Throws while the database takes no blocks yet; events wait in the spool. */
  readonly check?: () => void;
}

/** Listens where a core node dials, and takes in what it sends. Whoever starts it closes it. */
export async function startCoreSocket(
  { config, stop }: Job,
  address: PeerAddress,
  { logger, skipDamaged, check = () => undefined }: CoreSocketOptions,
) {
  const { database, ingest } = config;
  const spool = { folder: spoolFolder(config), limit: ingest.spoolLimit };
  const { startSocketIngest } = await import('../ingest/socket/run.ts');
  const decode = await findDecode(skipDamaged);
  return startSocketIngest({
    address,
    spool,
    async openPlace() {
      check();
      return openPlace(database, { stop });
    },
    retention: ingest,
    decode,
    version: VERSION,
    asked: stop.signal,
    logger,
  });
}

/** Where a core node's events wait for the database. */
export function spoolFolder({ database, ingest }: Job['config']): string {
  return ingest.spoolDir ?? `${database.dataDir ?? defaultDataDir()}-spool`;
}

/** What passes over events that cannot be taken, on the command line. */
export interface SkipOptions {
  readonly skipDamaged?: true;
}

export function addSkipDamaged(command: Command): Command {
  return command.option(
    '--skip-damaged',
    'pass over events that cannot be taken: what they change is lost (docs/operating.md)',
  );
}

/** Whether that is asked for, here or by the setting. */
export function skipsDamaged({ config }: Job, { skipDamaged }: SkipOptions): boolean {
  return skipDamaged ?? config.ingest.skipDamaged === 'on';
}

/** How events are read then. */
export async function findDecode(skipsDamaged: boolean): Promise<DecodeEvent> {
  const [{ decodeEvent }, { skippingDamaged }] = await Promise.all([
    import('../ingest/decode.ts'),
    import('../ingest/skip-damaged.ts'),
  ]);
  return skipsDamaged ? skippingDamaged(decodeEvent) : decodeEvent;
}
