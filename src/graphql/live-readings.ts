import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
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

/** The context of what is read as of a block, another one each time. */
export function contextAt(context: GatewayContext, block: FeedBlock): GatewayContext {
  const [past = context] = context.anew().pastsOf([toBlock(block)]);
  return past;
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
    ) => Omit<Followed<Value>, 'name'>;
  },
): void {
  const { description, message, args, fields, follow } = readings;
  const Message = builder
    .objectRef<Reading<Value>>(`${name.charAt(0).toUpperCase()}${name.slice(1)}Message`)
    .implement({
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
        const followed = follow(asked as InputShapeFromFields<Args>, context, info);
        return context.feed.follow({ name, ...followed }, after ?? null, progress ?? false);
      },
      resolve: (given, _, context, info) => {
        const reading = given as Reading<Value>;
        // What its value links to is as of its block, too.
        const [past] = reading.value === null ? [] : context.pastsOf([toBlock(reading.block)]);
        if (past !== undefined) context.pastAt.set(placeOf(info), past);
        return reading;
      },
    }),
  );
}
