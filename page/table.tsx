import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';

/** A column: its name, and the class of its head. */
export type Column = readonly [name: string, kind?: string | undefined];

/** A table of rows; `empty` stands where there are none. Where there are more of them than rows, the rest is a press away. */
export function Table({ kind, caption, columns, rows, count = rows.length, empty, onMore }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const showMore = () => {
    onMore?.();
    // The button is gone by then: whoever reads by keys goes on with the first row that came.
    requestAnimationFrame(() => {
      const first = body.current?.rows[rows.length];
      first?.setAttribute('tabindex', '-1');
      first?.focus({ preventScroll: true });
    });
  };
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
          <tbody ref={body}>
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
          <button type="button" class="as-link" onClick={showMore}>
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
