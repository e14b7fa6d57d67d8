import { type Command, InvalidArgumentError } from 'commander';
import { type LogServers, readLogServers } from '../ingest/log/servers.ts';

/** The stream that is the log, on the command line. */
export interface LogOptions {
  readonly stream: string;
}

/** The stream of JetStream that is used where none is named. */
const DEFAULT_STREAM = 'periscope';

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
function readStream(text: string): string {
  if (/^[\w-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes a name of letters, digits, - and _, of at most 64.');
}

/** What is relayed, and where to. */
export interface RelayOptions extends LogOptions {
  readonly from: string;
  readonly to: LogServers;
  readonly subject?: string;
  readonly replicas?: number;
  readonly maxAge?: number;
  readonly maxBytes?: number;
  readonly follow?: true;
}
