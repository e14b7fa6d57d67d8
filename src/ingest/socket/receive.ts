import { IngestError } from '../events.ts';
import { readHead } from './envelope.ts';
import type { Peer } from './listen.ts';
import type { Spool } from './spool.ts';
import type { IncomingEvent } from './spool-tail.ts';

/** Takes messages into the spool, those before a faulty one too. */
export function createReceiver(spool: Spool, counts: { bytes: number }) {
  let last: Peer | null = null;
  return async (peer: Peer, messages: readonly Uint8Array[], signal: AbortSignal): Promise<void> => {
    const events: IncomingEvent[] = [];
    let fault: IngestError | null = null;
    for (const payload of messages) {
      try {
        events.push({ head: readHead(payload), payload });
        counts.bytes += payload.length;
      } catch (cause) {
        fault = new IngestError(`sends what is no event: ${(cause as Error).message}`, { cause });
        break;
      }
    }
    if (events.length > 0) {
      await spool.append(events, { opensConnection: peer !== last, signal });
      last = peer;
    }
    if (fault) throw fault;
  };
}
