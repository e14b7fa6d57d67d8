import type { IncomingMessage } from 'node:http';
import { invalidArgument, quoted, Rejection } from '../../errors.ts';
import type { Signal } from '../../signal.ts';
import { MIN_BLOCK_HEADER } from '../write/common-head.ts';

const HEADER = 'x-min-block-height';
const LARGEST = 2n ** 64n - 1n;

export interface NewestBlock {
  /** The height of the newest block that answers name. */
  readonly height: () => bigint;
  /** Waits for a block for as long as requests do, and says whether it is there then. */
  readonly reach: (height: bigint, signal?: Signal) => Promise<boolean>;
}

/**
 * Waits for a block that `field` asks for: null where it is there. Rejects with UNAVAILABLE where it does not come in
 * time, or before the signal is aborted.
 */
export type WaitForBlock = (height: bigint, field: string, signal?: Signal) => Promise<void> | null;

export function createWaitForBlock(newest: NewestBlock): WaitForBlock {
  return (height, field, signal) => {
    if (newest.height() >= height) return null;
    return newest.reach(height, signal).then((isThere) => {
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
): (request: IncomingMessage) => Promise<void> | null {
  return ({ headers }) => {
    const text = headers[HEADER];
    if (text === undefined || text === '') return null;
    const height = readHeight(String(text));
    if (height === null) return Promise.reject(noHeight(String(text)));
    return waitForBlock(height, MIN_BLOCK_HEADER);
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
