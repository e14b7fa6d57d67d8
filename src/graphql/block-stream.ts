import type { StreamEvent } from '../feed/events.ts';
import { blockTopic } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { exposePlace, streamArgs } from './streams.ts';

type BlockRow = Parameters<typeof blockTopic.valuesOf>[0];

const BlocksMessage = builder.objectRef<StreamEvent<BlockRow>>('BlocksMessage').implement({
  description: 'A message of the `blocks` stream.',
  fields: (t) => exposePlace(t, blockTopic.log.name),
});

builder.subscriptionField('blocks', (t) =>
  t.field({
    type: BlocksMessage,
    description: 'The latest block, then each later block, in order.',
    args: streamArgs,
    subscribe: (_, { after, progress }, { feed }) =>
      feed.open(blockTopic, {}, after ?? null, progress ?? false),
    resolve: (event) => event,
  }),
);
