import type { StreamEvent } from '../feed/events.ts';
import { toBlock } from '../feed/events.ts';
import { cursorOf } from '../feed/feed.ts';
import { blockTopic } from '../feed/topics.ts';
import { Block } from './blocks.ts';
import { builder } from './builder.ts';
import { streamArgs } from './streams.ts';

type BlockRow = Parameters<typeof blockTopic.valuesOf>[0];

const BlocksMessage = builder.objectRef<StreamEvent<BlockRow>>('BlocksMessage').implement({
  description: 'A message of the `blocks` stream.',
  fields: (t) => ({
    block: t.field({ type: Block, description: 'The block.', resolve: ({ block }) => toBlock(block) }),
    cursor: t.string({
      description: 'The cursor of the message, for `after`.',
      resolve: (event) => cursorOf(blockTopic.log.name, event),
    }),
  }),
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
