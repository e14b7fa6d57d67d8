import type { Socket } from 'node:net';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Beginning, Handover, PrimaryCalls, WorkerCalls } from './messages.ts';

/** The primary does nothing but answer, so that this is long. */
const LIMIT_MS = 2000;
/** How often the primary is asked how to begin: it may be busy then. */
const BEGIN_TRIES = 5;

/** A worker's channel to the primary. Node's cluster ends the process where the primary is gone. */
export type PrimaryChannel = BirpcReturn<PrimaryCalls, WorkerCalls>;

/** Opens it; `take` is given the connections that the primary hands over, with what the primary calls them. */
export function openPrimaryChannel(
  calls: WorkerCalls,
  take: (connection: number, socket: Socket | undefined) => void,
): PrimaryChannel {
  return createBirpc<PrimaryCalls, WorkerCalls>(calls, {
    timeout: LIMIT_MS,
    post(message) {
      if (process.connected) process.send?.(message, undefined, {}, () => {});
    },
    on(receive) {
      process.on('message', (message: Handover | object, socket?: Socket) => {
        if ('connection' in message) take(message.connection, socket);
        else receive(message);
      });
    },
  });
}

/** Asks how to begin. */
export async function askHowToBegin(primary: PrimaryChannel, tries = BEGIN_TRIES): Promise<Beginning> {
  try {
    return await primary.begin();
  } catch (error) {
    if (tries === 1) throw error;
    return askHowToBegin(primary, tries - 1);
  }
}
