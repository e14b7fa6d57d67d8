import { resolveNodes } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import { GatewayError, invalidArgument } from '../errors.ts';
import { builder, defineQueries } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, costs, lengthOf } from './costs.ts';
import {
  invalidNodeId,
  type NodeId,
  nameGroup,
  nodeIdFieldOf,
  nounOfType,
  readNodeId,
  writeNodeId,
} from './node-ids.ts';
import { pastOfNode, placeOf } from './pasts.ts';
import { from } from './sources.ts';

const MAX_NODES = 1000;

// Caches of clients know an object by its type and this. Types with a documented `id` have that in its place.
builder.interfaceField(builder.nodeInterfaceRef(), 'id', (t) =>
  t.id({
    description:
      'The identifier of the object among those of its type: the documented one; where the network has none, the global ID.',
    extensions: { ...costs({ each: COST_OF.nodeId }).extensions, ...from({ kind: 'nodeId' }).extensions },
    resolve: (row, _args, context, { parentType: { name } }) => idOf(row as NodeRow, name, context),
  }),
);

defineQueries((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'The object with this global ID; null if there is none. A text that is not a global ID is an error.',
    args: { nodeId: t.arg.id({ required: true, description: 'The global ID of the object.' }) },
    extensions: { ...costs({ each: COST_OF.object }).extensions, ...from({ kind: 'node' }).extensions },
    resolve: async (_, { nodeId }, context, info) => {
      const read = readNodeId(nodeId);
      if (read === null) throw invalidNodeId('nodeId', nodeId);
      const [node] = await findNodes([read], context, info, {
        nameOf: () => 'nodeId',
        placeOf: () => placeOf(info),
      });
      return node;
    },
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
    extensions: {
      ...costs({ each: COST_OF.node, values: (argument) => lengthOf(argument('nodeIds')) }).extensions,
      ...from({ kind: 'nodes' }).extensions,
    },
    resolve: async (_, { nodeIds }, context, info) => {
      checkNodeIds(nodeIds);
      const read = nodeIds.map(readNodeId);
      const nodes = await findNodes(read, context, info, {
        nameOf: (index) => `nodeIds[${index}]`,
        placeOf: (index) => placeOf(info, index),
      });
      return nodes.map((node, index) => (read[index] === null ? refuseNodeId(nodeIds, index) : node));
    },
  }),
}));

/** How what is wrong with each of some global IDs names it, and where its object stands in the answer. */
interface Places {
  readonly nameOf: (index: number) => string;
  readonly placeOf: (index: number) => string;
}

/**
 * Finds the objects with global IDs, those of one type and block together: an error in the place of each whose block cannot be
 * asked about.
 */
async function findNodes(
  read: readonly (NodeId | null)[],
  context: GatewayContext,
  info: GraphQLResolveInfo,
  { nameOf, placeOf }: Places,
): Promise<unknown[]> {
  const nodes: unknown[] = read.map(() => null);
  const groups = new Map<string, number[]>();
  for (const [index, node] of read.entries()) {
    if (node === null) continue;
    const group = nameGroup(node);
    groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  for (const indexes of groups.values()) {
    const ids = indexes.map((index) => read[index] as NodeId);
    try {
      const past = await pastOfNode(context, nameOf(indexes[0] ?? 0), ids[0]?.asOf);
      const found = await resolveNodes(builder, past, info, ids);
      for (const [place, index] of indexes.entries()) {
        nodes[index] = found[place];
        if (past !== context) context.pastAt.begin(placeOf(index), past);
      }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'OUT_OF_RANGE') throw error;
      for (const index of indexes) nodes[index] = error;
    }
  }
  return nodes;
}

/** The global ID of a row that is an object of a type. */
function idOf(row: NodeRow, typename: string, { past }: GatewayContext): string {
  const noun = nounOfType(typename);
  if (noun === undefined) throw new Error(`no noun has rows of type ${typename}`);
  return writeNodeId({ typename, id: String(row[nodeIdFieldOf(noun)]), asOf: past?.height });
}

/** Rows of all nouns, each with the field that its global ID is made of. */
type NodeRow = Readonly<Record<string, unknown>>;

/** Throws INVALID_ARGUMENT for more global IDs than an operation may give. */
export function checkNodeIds(nodeIds: readonly string[]): void {
  if (nodeIds.length <= MAX_NODES) return;
  throw invalidArgument('nodeIds', `nodeIds takes at most ${MAX_NODES} global IDs, not ${nodeIds.length}.`);
}

/** What stands in the place of a text that is not a global ID. */
export function refuseNodeId(nodeIds: readonly string[], index: number): GatewayError {
  return invalidNodeId(`nodeIds[${index}]`, nodeIds[index] ?? '');
}
