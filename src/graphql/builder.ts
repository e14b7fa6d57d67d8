import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type PrismaTypes from '../data/generated/pothos-types.ts';
import { getDatamodel } from '../data/generated/pothos-types.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, costs, OPERATION_LIMITS, rowsOfPage } from './costs.ts';
import { invalidNodeId, readNodeId } from './node-ids.ts';
import type { ScalarTypes } from './scalar-types.ts';

/** The one schema builder. Every noun adds its type and its queries to it in a file of its own. */
export const builder = new SchemaBuilder<{
  Context: GatewayContext;
  PrismaTypes: PrismaTypes;
  Scalars: ScalarTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Connection: { readonly countRows: () => Promise<number> };
}>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.prisma, dmmf: getDatamodel() },
  relay: {
    // The documented `id` fields keep their name and their meaning; Relay's global ID stands beside them.
    idFieldName: 'nodeId',
    idFieldOptions: {
      description: 'The global ID of the object, as `node` and `nodes` take it.',
      ...costs({ each: COST_OF.nodeId }),
    },
    cursorType: 'String',
    decodeGlobalID: (nodeId) => {
      const read = readNodeId(nodeId);
      if (read === null) throw invalidNodeId('nodeId', nodeId);
      return read;
    },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description: 'An object that `node` finds again by its global ID.',
      // Every object type that implements it costs the same.
      ...costs({ each: COST_OF.object }),
    },
    defaultConnectionTypeOptions: costs({
      each: COST_OF.list,
      page: { rows: rowsOfPage, row: COST_OF.row },
    }),
    pageInfoTypeOptions: { description: 'Where a page lies within its list.' },
    hasNextPageFieldOptions: { description: 'Whether the list goes on after the page. Exact.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list goes on before the page. Exact.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first row of the page; null on an empty page.',
    },
    endCursorFieldOptions: { description: 'The cursor of the last row of the page; null on an empty page.' },
    edgesFieldOptions: {
      description: 'The rows of the page, in the order of the list.',
      ...costs({ each: COST_OF.part, values: 'rows' }),
    },
    pageInfoFieldOptions: { description: 'Where the page lies within the list.' },
    // The page has counted its rows.
    nodeFieldOptions: { description: 'The row itself.', ...costs({ each: 0 }) },
    cursorFieldOptions: { description: 'Where the row stands in the list, for `after` and `before`.' },
  },
});

builder.queryType({
  description: `Everything that can be asked. Nothing here changes data. An operation is refused before anything is read if its document has more than ${OPERATION_LIMITS.tokens} tokens or ${OPERATION_LIMITS.length} characters, if its variables or extensions are nested more than ${OPERATION_LIMITS.levels} levels deep, if it selects \`totalCount\` more than ${OPERATION_LIMITS.counts} times, or if it can cost more than ${OPERATION_LIMITS.cost}, were every page full: a field costs ${COST_OF.field}, a row of a page ${COST_OF.row}, a linked object ${COST_OF.object}, and lists below lists multiply.`,
});

builder.subscriptionType({
  description:
    'What can be followed. Every stream begins with a snapshot of one block, or goes on after a cursor, and then tells every change once.',
});

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description:
      'How many rows the list holds under its filter. Counting reads them all, and only when this is asked for.',
    ...costs({ each: COST_OF.totalCount, counts: 1 }),
    resolve: (connection) => connection.countRows(),
  }),
);
