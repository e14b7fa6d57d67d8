import type { IncomingMessage } from 'node:http';
import { invalidArgument, quoted, Rejection } from '../../errors.ts';
import { LightSignal } from '../../signal.ts';
import { type Caller, ClientLeft } from '../request-scope.ts';
import { MIN_BLOCK_HEADER } from '../write/common-head.ts';
import type { ClientAddresses } from './client-address.ts';

const HEADER = 'x-min-block-height';
const LARGEST = 2n ** 64n - 1n;

export interface NewestBlock {
  /** The height of the newest block that answers name. */
  readonly height: () => bigint;
  /** Waits for a block for as long as requests do, and says whether it is there then. */
  readonly reach: (height: bigint, caller: Caller) => Promise<boolean>;
}

/**
 * Waits for a block that `field` asks for: null where it is there. Rejects with UNAVAILABLE where it does not come in
 * time, or before the caller's signal is aborted.
 */
export type WaitForBlock = (height: bigint, field: string, caller: Caller) => Promise<void> | null;

export function createWaitForBlock(newest: NewestBlock): WaitForBlock {
  return (height, field, caller) => {
    if (newest.height() >= height) return null;
    return newest.reach(height, caller).then((isThere) => {
      if (!isThere) throw notYet(height, field, newest.height());
    });
  };
}

/**
 * Makes what holds a request back until the block is there that it asks for: null for one that need not wait. Rejects
 * as `WaitForBlock` does, and with INVALID_ARGUMENT where the header is no height.
 */
export function createMinBlock(
  waitForBlock: WaitForBlock,
  clients: ClientAddresses,
): (request: IncomingMessage) => Promise<void> | null {
  return (request) => {
    const text = request.headers[HEADER];
    if (text === undefined || text === '') return null;
    const height = readHeight(String(text));
    if (height === null) return Promise.reject(noHeight(String(text)));
    const signal = new LightSignal();
    // Nobody reads it yet: it closes with its connection alone. Of an answer behind others that is not told.
    request.on('close', () => signal.abort(new ClientLeft()));
    return waitForBlock(height, MIN_BLOCK_HEADER, { client: clients.ofRequest(request), signal });
  };
}

/** The height of a block as a text has it; null where it is none. */
export function readHeight(text: string): bigint | null {
  if (!/^\d{1,20}$/.test(text)) return null;
  const height = BigInt(text);
  return height > LARGEST ? null : height;
}

function noHeight(text: string): Rejection {
  const { code, message, details } = invalidArgument(
    MIN_BLOCK_HEADER,
    `The header ${MIN_BLOCK_HEADER} is ${quoted(text)}; it takes the height of a block, a whole number from 0 to ${LARGEST}.`,
  );
  return new Rejection(code, message, details);
}

function notYet(height: bigint, field: string, newest: bigint): Rejection {
  return new Rejection(
    'UNAVAILABLE',
    `Block ${height}, which ${field} asks for, is not here yet; the newest is ${newest}. Try again soon.`,
    [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
  );
}
