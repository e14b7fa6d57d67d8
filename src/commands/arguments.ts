import { InvalidArgumentError } from 'commander';
import { configOptions } from '../config.ts';
import type { Pace } from '../ingest/apply.ts';
import { type PeerAddress, readPeerAddress } from '../ingest/socket/listen.ts';

export const PACE_HELP = 'max, realtime (by the times of the blocks) or blocks a second';

export function readPace(text: string): Pace {
  if (text === 'max' || text === 'realtime') return text;
  const pace = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (pace > 0) return pace;
  throw new InvalidArgumentError('It takes max, realtime or a number of blocks a second above 0.');
}

export function readAddress(text: string): PeerAddress {
  try {
    return readPeerAddress(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

export function readWhole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

export function readBlocks(text: string): number {
  const blocks = readWhole(text);
  if (blocks > 0) return blocks;
  throw new InvalidArgumentError('It takes a number of blocks above 0.');
}

/** As WORKERS takes it. */
export function readWorkers(text: string): number | 'auto' {
  try {
    return configOptions.workers.count.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
