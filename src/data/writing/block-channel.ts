import type { QueryConfig } from 'pg';
import { encodeTexts } from './binary-arrays.ts';

/** The channel on which the writer names the height of each block it has applied. A wake-up only. */
export const BLOCK_CHANNEL = 'periscope_block';

/** Names the height of each block, in their order. */
export function notifyOf(heights: readonly bigint[]): QueryConfig {
  return {
    name: 'notify',
    text: 'SELECT count(pg_notify($1, height)) FROM unnest($2::text[]) AS height',
    values: [BLOCK_CHANNEL, encodeTexts(heights.map(String))],
  };
}
