import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { capitalize } from '../domain/text.ts';
import { type FeedBlock, toBlock } from '../feed/events.ts';
import type { Followed, Reading } from '../feed/followed.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { placeOf } from './pasts.ts';
import { exposePlace, type StreamArgs, streamArgs } from './streams.ts';

/** Defines the fields of messages that have such values. */
export type ReadingFields<Value> = (
  t: PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Reading<Value>>,
) => object;

/** What is followed for some arguments. Each time it is read in another context, in which all is as of the block. */
interface FollowedAt<Value> extends Omit<Followed<Value>, 'name' | 'read'> {
  readonly read: (past: GatewayContext, at: FeedBlock, since: bigint) => Promise<Value>;
}

/** Defines the subscription to what is read again as of each block that may have changed it, under its name. */
export function defineReadings<Value, Args extends InputFieldMap>(
  name: string,
  readings: {
    readonly description: string;
    /** What a message has. */
    readonly message: string;
    readonly args: Args;
    readonly fields: ReadingFields<Value>;
    /** Throws INVALID_ARGUMENT for arguments that cannot be taken. */
    readonly follow: (
      args: InputShapeFromFields<Args>,
      context: GatewayContext,
      info: GraphQLResolveInfo,
    ) => FollowedAt<Value>;
  },
): void {
  const { description, message, args, fields, follow } = readings;
  const Message = builder.objectRef<Reading<Value>>(`${capitalize(name)}Message`).implement({
    description: `A message of the \`${name}\` stream: ${message}.`,
    fields: (t) => ({ ...exposePlace(t, name), ...fields(t) }) as never,
  });
  builder.subscriptionField(name, (t) =>
    t.field({
      type: Message,
      description,
      args: { ...args, ...streamArgs },
      subscribe: (_, given, context, info) => {
        const { after, progress, ...asked } = given as StreamArgs;
        const { read, ...followed } = follow(asked as InputShapeFromFields<Args>, context, info);
        const readAt: Followed<Value>['read'] = (at, since, signal) => {
          const [past = context] = context.anew(signal).pastsOf([toBlock(at)]);
          return read(past, at, since);
        };
        return context.feed.follow({ name, ...followed, read: readAt }, after ?? null, progress ?? false);
      },
      resolve: (given, _, context, info) => {
        const reading = given as Reading<Value>;
        // What its value links to is as of its block, too.
        const [past] = reading.value === null ? [] : context.pastsOf([toBlock(reading.block)]);
        if (past !== undefined) context.pastAt.begin(placeOf(info), past);
        return reading;
      },
    }),
  );
}
