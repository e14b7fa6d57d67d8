import type { TextRow } from '../../data/queries/text-rows.ts';
import { writeCursor } from '../../domain/cursors.ts';
import { type CompileFields, type Connection, NotInText, type Placed } from './plan.ts';

interface PageInfoField extends Placed {
  readonly write: (connection: Connection) => string;
}

/** Compiles what is selected of the `pageInfo` of a list. */
export function compilePageInfo(
  compileFields: CompileFields<PageInfoField>,
): (connection: Connection) => string {
  // The position of a row stands first in it.
  const cursorOf = (list: string, row: TextRow | undefined) =>
    row === undefined ? 'null' : `"${writeCursor({ list, position: row[0] ?? '' })}"`;
  const writers: Readonly<Record<string, PageInfoField['write']>> = {
    hasNextPage: ({ page }) => `${page?.hasNextPage}`,
    hasPreviousPage: ({ page }) => `${page?.hasPreviousPage}`,
    startCursor: ({ list, page }) => cursorOf(list, page?.rows[0]),
    endCursor: ({ list, page }) => cursorOf(list, page?.rows.at(-1)),
  };
  const fields = compileFields({
    typename: (text) => ({ write: () => text }),
    field: ({ definition: { name } }) => {
      const write = writers[name];
      if (write === undefined) throw new NotInText(name);
      return { write };
    },
  });
  return (connection) => `{${fields.map(({ before, write }) => before + write(connection)).join('')}}`;
}
