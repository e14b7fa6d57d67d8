import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Logger } from 'pino';
import { openPlace } from '../data/open.ts';
import { type LogServers, readLogServers } from '../ingest/log/servers.ts';
import { VERSION } from '../reference/about.ts';
import { type Job, UsageError } from './run.ts';

/** The stream that is the log, on the command line. */
export interface LogOptions {
  readonly stream: string;
}

/** The stream of JetStream that is used where none is named. */
export const DEFAULT_STREAM = 'periscope';

export function addLogOptions(command: Command): Command {
  return command.option(
    '--stream <name>',
    'the stream of JetStream that is the log',
    readStream,
    DEFAULT_STREAM,
  );
}

export function readServers(text: string): LogServers {
  try {
    return readLogServers(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** What JetStream takes as the name of a stream, and as a subject once it is a part of one. */
export function readStream(text: string): string {
  if (/^[\w-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes a name of letters, digits, - and _, of at most 64.');
}

/** What the servers know this client by, where the settings name a file of it. */
export async function readCredentials({ config }: Job): Promise<Uint8Array | null> {
  const path = config.ingest.natsCredentials;
  if (path === null) return null;
  return readFile(path).catch((error: Error) => {
    throw new UsageError(`NATS_CREDENTIALS is ${path}, which cannot be read: ${error.message}`);
  });
}

/** Reads a log, and applies what it has. Whoever starts it closes it. */
export async function startLog(
  job: Job,
  servers: LogServers,
  options: LogOptions & { readonly logger: Logger; readonly skipsDamaged: boolean },
) {
  const { config, stop } = job;
  const { startLogIngest } = await import('../ingest/log/run.ts');
  return startLogIngest({
    ...options,
    servers,
    credentials: await readCredentials(job),
    openPlace: () => openPlace(config.database, { stop }),
    retention: config.ingest,
    version: VERSION,
  });
}
