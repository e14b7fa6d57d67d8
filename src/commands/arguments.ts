import { InvalidArgumentError } from 'commander';
import { configOptions } from '../config.ts';
import { readPlace } from '../data/parts/place.ts';
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

/** The text of a place that parts can be at. */
export function readPartsPlace(text: string): string {
  try {
    readPlace(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Reads the place of parts, which must be one that they can be written to. */
export function readPartsTarget(text: string): string {
  if (/^https?:/i.test(text))
    throw new InvalidArgumentError('It is not written to: it takes a folder, or s3://BUCKET/FOLDER.');
  return readPartsPlace(text);
}

export function readWhole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

export function readBytes(text: string): number {
  const bytes = readWhole(text);
  if (bytes > 0) return bytes;
  throw new InvalidArgumentError('It takes a number of bytes above 0.');
}

export function readBlocks(text: string): number {
  const blocks = readWhole(text);
  if (blocks > 0) return blocks;
  throw new InvalidArgumentError('It takes a number of blocks above 0.');
}

/** As WORKERS takes it. */
export function readWorkers(text: string): number | 'auto' {
  const { count } = configOptions.workers;
  try {
    return count.parse(text);
  } catch {
    throw new InvalidArgumentError(`It takes ${count.takes}.`);
  }
}
