import { invalidArgument } from '../errors.ts';
import { builder } from './builder.ts';

const MAX_NODES = 1000;

builder.queryFields((t) => ({
  node: t.node({
    description: 'The object with a global ID; null where there is none.',
    args: { nodeId: t.arg.id({ required: true, description: 'The global ID, as `nodeId` gives it.' }) },
    id: (_, { nodeId }) => nodeId,
  }),
  nodes: t.nodeList({
    description: `The objects with these global IDs, in their order; null where there is none. At most ${MAX_NODES}.`,
    args: {
      nodeIds: t.arg.idList({ required: true, description: 'The global IDs, as `nodeId` gives them.' }),
    },
    ids: (_, { nodeIds }) => {
      if (nodeIds.length <= MAX_NODES) return nodeIds;
      throw invalidArgument(
        'nodeIds',
        `nodeIds takes at most ${MAX_NODES} global IDs, not ${nodeIds.length}.`,
      );
    },
  }),
}));
