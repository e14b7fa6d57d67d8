import type { ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { toConnection } from './connections.ts';
import { COST_OF, type Cost, costs } from './costs.ts';

type Page<Row> = ReturnType<typeof toConnection<Row>>;

/** Defines the pages of a list that is no noun's, and that nothing counts. The type of its rows is said by name and in prose. */
export function definePlainConnection<Row>(
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
  { name, row, rows, cost }: Readonly<Record<'name' | 'row' | 'rows', string>> & { readonly cost: Cost },
) {
  const Edge = builder.objectRef<Page<Row>['edges'][number]>(`${name}Edge`).implement({
    description: `${row} in a page.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'The cursor of the row, for `after` and `before`.' }),
      node: t.field({
        type,
        description: 'The row.',
        ...costs({ each: 0 }),
        resolve: ({ node }) => node as never,
      }),
    }),
  });
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of ${rows}.`,
    ...costs(cost),
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'A list of the rows in the page, each with its cursor.',
        ...costs({ each: COST_OF.part, values: 'rows' }),
        resolve: ({ edges }) => edges,
      }),
      nodes: t.field({
        type: [type],
        description: 'A list of the rows in the page, without their cursors.',
        ...costs({ each: COST_OF.part, values: 'rows' }),
        resolve: ({ edges }) => edges.map(({ node }) => node) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Information about the page.',
        resolve: ({ pageInfo }) => pageInfo,
      }),
    }),
  });
}
