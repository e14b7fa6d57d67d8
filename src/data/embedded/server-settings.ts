import { totalmem } from 'node:os';
import { bytesOf } from './disk-full.ts';

/** Settings of PostgreSQL, by name. */
export type Settings = Readonly<Record<string, string>>;

/** What there is for a server, in bytes. */
export interface Resources {
  readonly memory: number;
  /** Free, on the disk of its data. */
  readonly disk: number;
}

const MIB = 2 ** 20;

/** What there is on this machine, or in this container, for a server whose data lie in a folder. */
export async function readResources(folder: string): Promise<Resources> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { memory, disk: (await bytesOf(folder)).free };
}

/** What its log is for beyond the server's own recovery: for standbys, archives and incremental backups. */
const FOR_OTHERS = ['wal_level', 'max_wal_senders', 'archive_mode', 'summarize_wal'] as const;

/**
 * The settings of the log, as far as the settings of whoever runs it leave them to us. Nobody can follow a server that listens to no
 * network: so an index that is made is written once, and not into the log besides.
 */
export function logSettingsFor(given: Settings): Settings {
  if (FOR_OTHERS.some((name) => name in given)) return {};
  return { wal_level: 'minimal', max_wal_senders: '0' };
}

/** PostgreSQL's own default. */
const LEAST_CONNECTIONS = 100;
/** For a writer and what reads ahead for it, backups, looks at the state, and the three that PostgreSQL keeps for its superuser. */
const OTHER_CONNECTIONS = 40;

/** The settings of a server whose gateway has so many connections; of its workers, of which there are never more, each listens by one besides. */
export function connectionsFor(poolSize = 0): Settings {
  return { max_connections: String(Math.max(LEAST_CONNECTIONS, 2 * poolSize + OTHER_CONNECTIONS)) };
}

/** The settings that go by what there is. */
export function settingsFor({ memory, disk }: Resources): Settings {
  return {
    /*
     * A quarter of the memory, as PostgreSQL's documentation has it: what it does not hold itself it copies from the system, and
     * checks, at each read. Taken as it is used.
     */
    shared_buffers: megabytes(memory / 4, { least: 128, most: 8192 }),
    /*
     * Between two checkpoints a page is written whole once, when it is first changed: of a large database those are most of its log
     * where checkpoints are near one another. The log takes an eighth of the room that is left at most.
     */
    max_wal_size: megabytes(disk / 8, { least: 1024, most: 4096 }),
    checkpoint_timeout: '15min',
  };
}

function megabytes(
  bytes: number,
  { least, most }: { readonly least: number; readonly most: number },
): string {
  return `${Math.max(least, Math.min(most, Math.floor(bytes / MIB)))}MB`;
}
