import { resolveNodes } from '@pothos/plugin-relay';
import { invalidArgument } from '../errors.ts';
import { builder } from './builder.ts';
import { COST_OF, costs } from './costs.ts';
import { invalidNodeId, readNodeId } from './node-ids.ts';

const MAX_NODES = 1000;

builder.queryFields((t) => ({
  node: t.node({
    description:
      'The object with this global ID; null if there is none. A text that is not a global ID is an error.',
    args: { nodeId: t.arg.id({ required: true, description: 'The global ID of the object.' }) },
    id: (_, { nodeId }) => nodeId,
  }),
  // The plugin's own list of nodes would give none where one of the IDs cannot be read.
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `A list of the objects with these global IDs, in the same order; null in the place of each that does not exist. A text that is not a global ID is an error in its place only.`,
    args: {
      nodeIds: t.arg.idList({
        required: true,
        description: `A list of the global IDs of the objects, at most ${MAX_NODES}.`,
      }),
    },
    ...costs({ each: COST_OF.node, values: (argument) => lengthOf(argument('nodeIds')) }),
    resolve: async (_, { nodeIds }, context, info) => {
      if (nodeIds.length > MAX_NODES)
        throw invalidArgument(
          'nodeIds',
          `nodeIds takes at most ${MAX_NODES} global IDs, not ${nodeIds.length}.`,
        );
      const read = nodeIds.map(readNodeId);
      const nodes = await resolveNodes(builder, context, info, read);
      return nodes.map((node, index) =>
        read[index] === null ? invalidNodeId(`nodeIds[${index}]`, nodeIds[index] ?? '') : node,
      );
    },
  }),
}));

/** How many elements an argument has: one where a single value stands for a list. */
function lengthOf(given: unknown): number {
  return Array.isArray(given) ? given.length : 1;
}
