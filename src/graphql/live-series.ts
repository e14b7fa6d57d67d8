import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { CacheTag } from '../cache/cache-tags.ts';
import type { Block } from '../data/generated/prisma/client.ts';
import type { SeriesRequest } from '../data/series/requests.ts';
import type { Bucket } from '../data/series/summaries.ts';
import { writeBigint } from '../domain/bigints.ts';
import { blockOutOfRange, GatewayError } from '../errors.ts';
import { toBlock } from '../feed/events.ts';
import type { Followed } from '../feed/followed.ts';
import type { GatewayContext } from './context.ts';
import { defineReadings, type ReadingFields } from './live-readings.ts';
import { followedArgs, readSeriesArgs } from './series.ts';
import { boundOf } from './times.ts';

/*
 * A series that is followed. A message has the buckets that were not over when the one before was sent: each that ended
 * meanwhile, as it stays, and the last as it is so far. So folded by their begins they are the series, as of the block of the
 * last message.
 */

/** What is followed for some arguments. */
export interface FollowedSeries<Value> {
  readonly dependsOn: readonly CacheTag[];
  /** What besides the arguments makes the value another. */
  readonly needs: readonly boolean[];
  readonly read: (past: GatewayContext, request: SeriesRequest, at: Block) => Promise<Value>;
  /** The buckets of one series of the value; all have the same begins and ends. */
  readonly bucketsOf: (value: Value) => readonly Bucket[];
  readonly lengthsOf: Followed<Value>['lengthsOf'];
}

/** Defines the subscription to a series, under its name. */
export function defineLiveSeries<Value, Args extends InputFieldMap>(
  name: string,
  series: {
    readonly description: string;
    readonly args: Args;
    readonly fields: ReadingFields<Value>;
    readonly follow: (
      args: InputShapeFromFields<Args>,
      context: GatewayContext,
      info: GraphQLResolveInfo,
    ) => FollowedSeries<Value>;
  },
): void {
  const { description, args, fields, follow } = series;
  defineReadings<Value, Args & typeof followedArgs>(name, {
    description: `${description} A message has the buckets that were not over in the one before: each that has ended, once, as it stays, and the last as it is so far.`,
    message: 'the buckets that were not over when the one before was sent',
    args: { ...args, ...followedArgs },
    fields,
    follow: (given, context, info) => {
      const { every, zone, from, ...asked } = given as LiveArgs;
      const request = readSeriesArgs({ every, zone, from });
      const { dependsOn, needs, read, bucketsOf, lengthsOf } = follow(
        asked as InputShapeFromFields<Args>,
        context,
        info,
      );
      return {
        ...{ dependsOn, lengthsOf, from: from ?? null },
        key: JSON.stringify([asked, every, zone, needs], writeBigint),
        read: (past, at, since) => {
          const readSince = (time: bigint) => read(past, { ...request, from: boundOf(time) }, toBlock(at));
          const made = readSince(since);
          return since === from || since === at.timestamp
            ? made
            : made.catch((error) => refuseCursor(error, from, () => readSince(at.timestamp)));
        },
        endOf: (value) => bucketsOf(value).at(-1)?.end ?? null,
      };
    },
  });
}

/**
 * What is too much since a cursor, and not without it, may be asked for without it: who follows begins anew then, as where changes
 * are forgotten. Throws what was wrong where it is wrong without the cursor, too.
 */
async function refuseCursor(
  error: unknown,
  from: bigint | null | undefined,
  readAnew: () => Promise<unknown>,
): Promise<never> {
  if (!(error instanceof GatewayError) || error.code !== 'INVALID_ARGUMENT') throw error;
  await readAnew().catch(() => {
    throw error;
  });
  // From an earlier time on it is even more.
  const advice = `Begin again without it${from == null ? '' : ', from a later time on'}.`;
  throw blockOutOfRange('BLOCK_NOT_KEPT', `Since the cursor: ${error.message} ${advice}`, {});
}

interface LiveArgs {
  readonly every: string;
  readonly zone?: string | null;
  readonly from?: bigint | null;
}
