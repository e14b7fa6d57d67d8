import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type PrismaTypes from '../data/generated/pothos-types.ts';
import { getDatamodel } from '../data/generated/pothos-types.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, COST_OF_THE_PAST, costs, OPERATION_LIMITS, rowsOfPage } from './costs.ts';
import { invalidNodeId, readNodeId } from './node-ids.ts';
import type { ScalarTypes } from './scalar-forms.ts';
import { from } from './sources.ts';

/** The one schema builder. Every noun adds its type and its queries to it in a file of its own. */
export const builder = new SchemaBuilder<{
  Context: GatewayContext;
  PrismaTypes: PrismaTypes;
  Scalars: ScalarTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Connection: { readonly countRows: () => Promise<number>; readonly listed: unknown };
}>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.prisma(), dmmf: getDatamodel() },
  relay: {
    // The documented `id` fields keep their name and their meaning; Relay's global ID stands beside them.
    idFieldName: 'nodeId',
    idFieldOptions: {
      description: 'The global ID of the object, for `node` and `nodes`.',
      extensions: { ...costs({ each: COST_OF.nodeId }).extensions, ...from({ kind: 'nodeId' }).extensions },
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
      description: 'An object with a global ID.',
      // Every object type that implements it costs the same.
      ...costs({ each: COST_OF.object }),
    },
    defaultConnectionTypeOptions: costs({
      each: COST_OF.list,
      // In another order than that of creation all is as of a block.
      values: (argument) => ((argument('orderBy') ?? 'CREATED') === 'CREATED' ? 1 : COST_OF_THE_PAST),
      page: { rows: rowsOfPage, row: COST_OF.row, isReadIfShown: true },
    }),
    pageInfoTypeOptions: { description: 'Information about a page of a list.' },
    hasNextPageFieldOptions: { description: 'Whether there are rows after the page. This is exact.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are rows before the page. This is exact.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first row in the page; null if the page is empty.',
    },
    endCursorFieldOptions: {
      description: 'The cursor of the last row in the page; null if the page is empty.',
    },
    edgesFieldOptions: {
      description: 'A list of the rows in the page, each with its cursor.',
      ...costs({ each: COST_OF.part, values: 'rows', showsPage: true }),
    },
    nodesOnConnection: {
      description: 'A list of the rows in the page, without their cursors.',
      ...costs({ each: COST_OF.part, values: 'rows', showsPage: true }),
    },
    pageInfoFieldOptions: {
      description: 'Information about the page.',
      ...costs({ each: COST_OF.part, showsPage: true }),
    },
    // The page has counted its rows.
    nodeFieldOptions: { description: 'The row.', ...costs({ each: 0 }) },
    cursorFieldOptions: { description: 'The cursor of the row, for `after` and `before`.' },
  },
});

builder.queryType({
  description: `The queries. None of them changes data. An operation is refused before anything is read if its document has more than ${OPERATION_LIMITS.tokens} tokens or ${OPERATION_LIMITS.length} characters, if its variables or extensions are nested more than ${OPERATION_LIMITS.levels} levels deep, if it selects \`totalCount\`, \`sums\` or \`tally\` more than ${OPERATION_LIMITS.counts} times, or if it costs more than ${OPERATION_LIMITS.cost}. The cost assumes that every page is full: a field costs ${COST_OF.field}, a row of a page ${COST_OF.row}, a linked object ${COST_OF.object}, and the rows of lists within lists multiply.`,
});

/** The queries as of one block. */
export const AsOf = builder.objectRef<object>('AsOf');

/** Adds fields to the queries, and the same to those as of a block: each says by its context which rows it reads. */
export function defineQueries(fields: Parameters<typeof builder.queryFields>[0]): void {
  builder.queryFields(fields);
  builder.objectFields(AsOf, fields as never);
}

builder.subscriptionType({
  description:
    'The streams. A stream begins with a snapshot of one block, or continues after a cursor, and then gives each change once.',
});

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'The number of rows in the whole list that pass the filter.',
    ...costs({ each: COST_OF.totalCount, counts: 1 }),
    resolve: (connection) => connection.countRows(),
  }),
);
