import type { ComponentChildren, VNode } from 'preact';

/** A column: its name, and the class of its head. */
export type Column = readonly [name: string, kind?: string | undefined];

/** A table of rows; `empty` stands where there are none. Where there are more of them than rows, the rest is a press away. */
export function Table({ kind, caption, columns, rows, count = rows.length, empty, onMore }: TableProps) {
  return (
    <>
      <div class="rows">
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
      </div>
      {count > rows.length && (
        <p class="foot">
          <button type="button" class="as-link" onClick={onMore}>
            Show {count - rows.length} more
          </button>
        </p>
      )}
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
  /** Has the others shown. */
  readonly onMore?: () => void;
}
