import type { ComponentChildren, VNode } from 'preact';

/** A column: its name, and the class of its head. */
export type Column = readonly [name: string, kind?: string];

/** A table of rows; `empty` stands where there are none. Where there are more of them than rows, the rest is counted below. */
export function Table({ kind, caption, columns, rows, count = rows.length, empty }: TableProps) {
  return (
    <>
      <table class={kind}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(([name, kind]) => (
              <th key={name} scope="col" class={kind}>
                {kind === 'bars' ? <span class="unseen">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows}
          {rows.length === 0 && empty && (
            <tr>
              <td colSpan={columns.length} class="quiet">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {count > rows.length && <p class="quiet">and {count - rows.length} more</p>}
    </>
  );
}

interface TableProps {
  readonly kind?: string;
  readonly caption?: ComponentChildren;
  readonly columns: readonly Column[];
  readonly rows: readonly VNode[];
  /** How many there are, those without a row included. */
  readonly count?: number;
  readonly empty?: string;
}
