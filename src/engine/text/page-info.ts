import type { TextRow } from '../../data/queries/text-rows.ts';
import { writeCursor } from '../../domain/cursors.ts';
import { type CompileFields, type Connection, NotInText, type Placed } from './plan.ts';

type Page = Connection['page'];

interface PageInfoField extends Placed {
  readonly write: (page: Page) => string;
}

/** Compiles what is selected of the `pageInfo` of a list. */
export function compilePageInfo(
  list: string,
  compileFields: CompileFields<PageInfoField>,
): (connection: Connection) => string {
  // The position of a row stands first in it.
  const cursorOf = (row: TextRow | undefined) =>
    row === undefined ? 'null' : `"${writeCursor({ list, position: row[0] ?? '' })}"`;
  const writers: Readonly<Record<string, PageInfoField['write']>> = {
    hasNextPage: (page) => `${page?.hasNextPage}`,
    hasPreviousPage: (page) => `${page?.hasPreviousPage}`,
    startCursor: (page) => cursorOf(page?.rows[0]),
    endCursor: (page) => cursorOf(page?.rows.at(-1)),
  };
  const fields = compileFields({
    typename: (text) => ({ write: () => text }),
    field: ({ definition: { name } }) => {
      const write = writers[name];
      if (write === undefined) throw new NotInText(name);
      return { write };
    },
  });
  return ({ page }) => `{${fields.map(({ before, write }) => before + write(page)).join('')}}`;
}
