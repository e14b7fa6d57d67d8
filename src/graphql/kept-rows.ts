import type { Noun, Positioned } from '../data/noun.ts';
import { findKeptFrom } from '../data/queries/kept-from.ts';
import type { PageRequest } from '../data/queries/page-statements.ts';
import type { Statements } from '../data/servers/statements.ts';
import { heightOf } from '../domain/positions.ts';
import { blockOutOfRange } from '../errors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { inProse } from './prose.ts';

/** The nouns whose oldest rows may be. */
const dropped = new Set<string>();

/** Gives the connections of a noun whose oldest rows may be dropped the field that says from which block on there are some. */
export function defineKeptFrom(noun: Pick<Noun, 'name'>, connection: { readonly name: string }): void {
  const rows = inProse(noun);
  dropped.add(noun.name);
  builder.objectField(connection as never, 'keptFromHeight', (t) =>
    t.field({
      type: 'Uint64',
      nullable: true,
      description: `The height of the first block whose ${rows} are kept: older ones were dropped, and are in no list and no \`totalCount\`. Null where all are kept that there ever were.`,
      resolve: async (
        { listed }: { readonly listed: { readonly noun: Noun } },
        _: object,
        { statements }: GatewayContext,
      ) => {
        const from = await findKeptFrom(statements, listed.noun);
        return from === null ? null : heightOf(from);
      },
    } as never),
  );
}

/**
 * To be called once a page is read. Rejects with OUT_OF_RANGE where the page goes on towards newer rows from one that was dropped:
 * those between would be left out, and nobody would know. Towards older rows a list ends where rows do. In the order of a value
 * nobody knows where a row stood that is gone, so that the page is empty, whichever way it goes.
 */
export async function checkWalkKept<Row extends Positioned, Filter>(
  noun: Noun<Row, Filter>,
  { cursor, order, backward, newestFirst }: PageRequest,
  statements: Statements,
): Promise<void> {
  if (cursor === null || !dropped.has(noun.name)) return;
  if (!order && backward !== newestFirst) return;
  const from = await findKeptFrom(statements, noun as unknown as Noun);
  if (from === null || cursor >= from) return;
  const name = backward ? 'before' : 'after';
  const gone = order ? 'its row is gone, and where it stood' : 'those between are gone';
  throw blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `${name} is a cursor of block ${heightOf(cursor)}, and ${inProse(noun)} are kept from block ${heightOf(from)} on: ${gone}. Begin without it.`,
    { firstHeight: heightOf(from) },
  );
}
