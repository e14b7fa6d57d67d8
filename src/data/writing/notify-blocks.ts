import type { QueryConfig } from 'pg';
import { BLOCK_CHANNEL } from '../servers/connect.ts';
import { encodeTexts } from './binary-arrays.ts';

/** Names the height of each block, in their order. */
export function notifyOf(heights: readonly bigint[]): QueryConfig {
  return {
    name: 'notify',
    text: 'SELECT count(pg_notify($1, height)) FROM unnest($2::text[]) AS height',
    values: [BLOCK_CHANNEL, encodeTexts(heights.map(String))],
  };
}
