import type { Noun } from '../data/noun.ts';
import { findKeptFrom } from '../data/queries/kept-from.ts';
import { heightOf } from '../domain/positions.ts';
import { builder } from './builder.ts';
import type { Listed } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { inProse } from './prose.ts';

/** Gives the connections of a noun whose oldest rows may be dropped the field that says from which block on there are some. */
export function defineKeptFrom(noun: Pick<Noun, 'name'>, connection: { readonly name: string }): void {
  const rows = inProse(noun);
  builder.objectField(connection as never, 'keptFromHeight', (t) =>
    t.field({
      type: 'Uint64',
      nullable: true,
      description: `The height of the first block whose ${rows} are kept: older ones were dropped, and are in no list and no \`totalCount\`. Null where all are kept that there ever were.`,
      resolve: async ({ listed }: { readonly listed: Listed }, _: object, { statements }: GatewayContext) => {
        const from = await findKeptFrom(statements, listed.noun);
        return from === null ? null : heightOf(from);
      },
    } as never),
  );
}
