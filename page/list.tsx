import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Export } from './csv.ts';
import { CsvLink } from './csv-link.tsx';
import { write } from './decimals.ts';
import type { Operation } from './graphql.ts';
import { type Connection, type OfOneBlock, type Pages, type Rows, usePages } from './pages.ts';
import { Panel } from './panel.tsx';
import { at } from './place.ts';
import { Watched } from './sight.tsx';
import { Trouble } from './state.tsx';
import { Table } from './table.tsx';

/** A list as a table without an end: sorted and filtered by the gateway, with its count and all of it as CSV beside. */
export function List<Data extends OfOneBlock, Variables, Node extends object>(
  props: ListProps<Data, Variables, Node>,
) {
  return (
    <Watched>
      <WatchedList {...props} />
    </Watched>
  );
}

function WatchedList<Data extends OfOneBlock, Variables, Node extends object>(
  props: ListProps<Data, Variables, Node>,
) {
  const { id, title, columns, keyOf, csv, choices, empty, kind = 'list' } = props;
  const pages = usePages(props.operation, props.variables, props.find);
  const rows = pages.rows.value;
  const rowOf = useRows(columns, keyOf);
  const { error } = pages.asked.value;
  return (
    <Panel
      id={id}
      title={title}
      asked={pages.asked.value}
      kind={`of-${kind.split(' ')[0]}`}
      tools={csv && <CsvLink of={csv} title={title} heldAt={rows?.heldAt ?? null} />}
    >
      {choices && <div class="filters">{choices}</div>}
      {error && <Trouble error={error} isOld={rows !== null} />}
      {rows !== null && rows.left > 0 && (
        <p class="quiet">
          {whole(rows.left)} rows before these are not shown any more.{' '}
          <FromStart pages={pages} title={title} />
        </p>
      )}
      <Folded rows={rows?.nodes ?? []} fold={props.fold}>
        {(shown) => (
          <Table
            kind={kind}
            columns={columns.map(({ name, kind }) => [name, kind])}
            rows={shown.map(rowOf)}
            empty={rows === null ? 'Waiting…' : empty}
          />
        )}
      </Folded>
      {rows && <Foot pages={pages} rows={rows} title={title} />}
    </Panel>
  );
}

/** Makes the row of each node once: what was read before is not looked at again when more comes. */
function useRows<Node extends object>(
  columns: readonly ListColumn<Node>[],
  keyOf: (node: Node) => string,
): (node: Node) => VNode {
  const names = columns.map(({ name }) => name).join();
  const made = useMemo(() => new WeakMap<Node, VNode>(), [names]);
  return (node) => {
    const row = made.get(node) ?? (
      <tr key={keyOf(node)}>
        {columns.map(({ name, kind, cell }) => (
          <td key={name} class={kind} data-name={name}>
            {cell(node)}
          </td>
        ))}
      </tr>
    );
    made.set(node, row);
    return row;
  };
}

interface ListProps<Data, Variables, Node extends object> {
  readonly id: string;
  readonly title: string;
  readonly operation: Operation<Data, Variables>;
  readonly variables: Omit<Variables, 'at' | 'after'>;
  readonly find: (data: Data) => Connection<Node> | null | undefined;
  readonly columns: readonly ListColumn<Node>[];
  readonly keyOf: (node: Node) => string;
  /** Where all of it is as CSV; null where no path has these filters. */
  readonly csv?: Export | null;
  /** By what it can be filtered and sorted. */
  readonly choices?: ComponentChildren;
  readonly empty: string;
  readonly kind?: string;
  readonly fold?: Fold<Node> | undefined;
}

/** A column of a list, and what a row has in it. */
export interface ListColumn<Node> {
  readonly name: string;
  readonly kind?: string;
  readonly cell: (node: Node) => ComponentChildren;
}

/** Rows that are not worth their place until somebody asks for them. */
export interface Fold<Node> {
  readonly isFolded: (node: Node) => boolean;
  /** What one of them is, as `empty account`. */
  readonly name: string;
}

function Folded<Node>({ rows, fold, children }: FoldedProps<Node>) {
  const isOpen = useSignal(false);
  const shown = fold === undefined || isOpen.value ? rows : rows.filter((one) => !fold.isFolded(one));
  const count = fold === undefined ? 0 : rows.filter(fold.isFolded).length;
  return (
    <>
      {children(shown)}
      {count > 0 && (
        <button
          type="button"
          class="as-link fold"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Hide' : 'Show'} {count} {fold?.name}
          {count === 1 ? '' : 's'}
        </button>
      )}
    </>
  );
}

interface FoldedProps<Node> {
  readonly rows: readonly Node[];
  readonly fold: Fold<Node> | undefined;
  readonly children: (rows: readonly Node[]) => ComponentChildren;
}

/** How many there are, and the way to the next ones: by a press, and once they were wanted, by coming to the end. */
function Foot<Node, Data>({ pages, rows, title }: FootProps<Node, Data>) {
  const { count, nodes, left, hasMore, heldAt } = rows;
  const end = useRef<HTMLDivElement>(null);
  const mayGoOn = hasMore && pages.hasWanted.value && pages.error.value === null;
  useEffect(() => {
    if (!mayGoOn || end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) pages.more();
      },
      { rootMargin: '200px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // Each page has the end looked at anew, also where as many rows went as came: what stays in sight is not told again.
  }, [mayGoOn, left + nodes.length]);
  return (
    <div class="foot quiet" ref={end} tabIndex={-1}>
      {count !== undefined && count > 0 && (
        <span>
          {left > 0 && `${whole(left + 1)} to `}
          {(left > 0 || hasMore) && `${whole(left + nodes.length)} of `}
          {whole(count)} {count === 1 ? 'row' : 'rows'}
        </span>
      )}
      {pages.error.value && (
        <span class="problem" role="alert">
          {pages.error.value.message}
        </span>
      )}
      {hasMore && (
        <MoreButton isReading={pages.isReading.value} onMore={pages.more}>
          Show more<span class="unseen"> of {title}</span>
        </MoreButton>
      )}
      {heldAt !== null && at.value === null && (
        <span>
          as of block {write(heldAt).whole} <FromStart pages={pages} title={title} />
        </span>
      )}
    </div>
  );
}

/** It keeps the focus while it reads, and leaves it to the end of the list when there is no more. */
function MoreButton({ isReading, onMore, children }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const here = button.current;
    return () => {
      if (here === document.activeElement)
        here?.closest<HTMLElement>('.foot')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <button ref={button} type="button" class="as-link" aria-disabled={isReading} onClick={onMore}>
      {children}
    </button>
  );
}

interface MoreButtonProps {
  readonly isReading: boolean;
  readonly onMore: () => void;
  readonly children: ComponentChildren;
}

/** The way back to the first page: to the newest block, or, as of a block, to the rows that were left. */
function FromStart<Node, Data>({ pages, title }: Omit<FootProps<Node, Data>, 'rows'>) {
  return (
    <button type="button" class="as-link" onClick={pages.renew}>
      {at.value === null ? 'Follow again' : 'Show from the first'}
      <span class="unseen"> {title}</span>
    </button>
  );
}

function whole(count: number): string {
  return write(`${count}`).whole;
}

interface FootProps<Node, Data> {
  readonly pages: Pages<Node, Data>;
  readonly rows: Rows<Node>;
  readonly title: string;
}
