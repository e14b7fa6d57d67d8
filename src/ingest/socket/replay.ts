import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Backoff } from '../../backoff.ts';
import { type ByteFile, openByteFile } from '../bytes.ts';
import { IngestError } from '../events.ts';
import { FrameError, RecordCutter } from '../frames.ts';
import type { PeerAddress } from './listen.ts';
import { frameMessage, GREETING } from './pair-protocol.ts';

/** A listener that is about to start may be there soon. */
const DIAL = { firstMs: 50, limitMs: 1_000, deadlineMs: 10_000 } as const;
const GREETING_LIMIT_MS = 5_000;
/** How long the other side may read nothing: it waits for its disk, or is gone. */
const STALL_LIMIT_MS = 60_000;

/**
 * Sends the events of a recorded file to whoever listens for a core node, as a core node does. Gives how many they were once
 * the other side has read all; nothing says whether it has applied them. Throws an IngestError where nobody listens, or
 * whoever does speaks something else or does not read on.
 */
export async function replayFile(path: string, address: PeerAddress, signal: AbortSignal): Promise<number> {
  const file = await openByteFile(path);
  const name = `tcp://${address.host}:${address.port}`;
  const socket = await dial(address, name, signal);
  try {
    await greet(socket, name, signal);
    let sent = 0;
    const messages = async function* () {
      for await (const batch of readMessages(file, signal)) {
        sent += batch.length;
        yield Buffer.concat(batch);
      }
    };
    socket.setTimeout(STALL_LIMIT_MS, () => socket.destroy(new Error('it reads nothing any more')));
    const closed = once(socket, 'close', { signal });
    // Where the sending fails, that is what is told.
    closed.catch(() => undefined);
    await pipeline(Readable.from(messages(), { objectMode: false }), socket, { signal }).catch((error) => {
      throw signal.aborted || error instanceof IngestError ? error : lost(name, error);
    });
    await closed;
    return sent;
  } finally {
    socket.destroy();
  }
}

async function dial(address: PeerAddress, name: string, signal: AbortSignal): Promise<Socket> {
  const backoff = new Backoff({ ...DIAL, signal });
  for (;;) {
    const socket = connect({ ...address, noDelay: true });
    try {
      await once(socket, 'connect', { signal });
      // What is lost later is told by what is sent.
      socket.on('error', () => {});
      return socket;
    } catch (error) {
      socket.destroy();
      if (signal.aborted || !(await backoff.wait())) throw signal.aborted ? signal.reason : lost(name, error);
    }
  }
}

/** Each side greets the other; one that has a core node already closes the connection instead. */
async function greet(socket: Socket, name: string, signal: AbortSignal): Promise<void> {
  socket.write(GREETING);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(GREETING_LIMIT_MS)]);
  const greeting = once(socket, 'data', { signal: limit }).catch(() => {
    throw signal.aborted
      ? signal.reason
      : new IngestError(`${name} does not greet: is it an ingest that listens?`);
  });
  const gone = once(socket, 'close', { signal: limit }).then(
    () => {
      throw new IngestError(`${name} takes in what another core node sends: there can be one at a time.`);
    },
    () => greeting,
  );
  const [bytes] = (await Promise.race([greeting, gone])) as [Buffer];
  if (!bytes.subarray(0, GREETING.length).equals(GREETING))
    throw new IngestError(`${name} speaks something else than a core node's socket.`);
  socket.resume();
}

/** The messages that each chunk of a file completes. */
async function* readMessages(file: ByteFile, signal: AbortSignal): AsyncGenerator<Uint8Array[]> {
  const cutter = new RecordCutter();
  try {
    for await (const chunk of file.chunks(signal))
      yield Array.from(cutter.cut(chunk), ({ payload }) => frameMessage(payload));
    cutter.end();
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    throw new IngestError(`${file.name}, byte ${error.offset}: ${error.message}`, { cause: error });
  }
}

function lost(name: string, cause: unknown): IngestError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new IngestError(`${name} cannot be sent to: ${reason}`, { cause });
}
