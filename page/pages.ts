import { effect, type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Asked, useAsked } from './asked.ts';
import { ask } from './connection.ts';
import type { Operation } from './graphql.ts';
import { at } from './place.ts';

/** How many rows of a list are there at once. */
const MOST_ROWS = 1_500;

/** A page of a list, as the gateway gives it. */
export interface Connection<Node> {
  readonly totalCount?: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: Node }[];
}

/** What is asked for a list: everything as of one block. */
export interface OfOneBlock {
  readonly asOf: { readonly block: { readonly height: string } | null } | null;
}

/** A list as far as it has been read. */
export interface Rows<Node> {
  readonly nodes: readonly Node[];
  /** How many before them were read, and are not kept: a table of all would make every press slow. */
  readonly left: number;
  readonly count: number | undefined;
  readonly hasMore: boolean;
  /** The block that all rows are as of, once more than the first page was read: newer blocks then change nothing. */
  readonly heldAt: string | null;
}

export interface Pages<Node, Data> {
  /** How the first page stands. */
  readonly asked: ReadonlySignal<Asked<Data>>;
  /** Null before there are any. */
  readonly rows: ReadonlySignal<Rows<Node> | null>;
  readonly isReading: ReadonlySignal<boolean>;
  /** Why the next page could not be read. */
  readonly error: ReadonlySignal<Error | null>;
  /** Whether somebody asked for more than the first page. */
  readonly hasWanted: ReadonlySignal<boolean>;
  /** Reads the next page, as of the block of those before. */
  more(): void;
  /** Shows the first page again, as it is now. */
  renew(): void;
}

interface Read<Node> extends Rows<Node> {
  readonly height: string | null;
  readonly cursor: string | null;
}

/**
 * A list by its pages. The first is asked for again at each new block; what follows is read after its cursor, as of the same block.
 * Another block, or other variables, begin the list anew.
 */
export function usePages<Data extends OfOneBlock, Variables, Node>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'at' | 'after'>,
  find: (data: Data) => Connection<Node> | null | undefined,
): Pages<Node, Data> {
  const asked = useAsked(operation as Operation<Data, object>, variables) as ReturnType<
    typeof useAsked<Data, object>
  >;
  const further = useSignal<Read<Node> | null>(null);
  const isReading = useSignal(false);
  const hasWanted = useSignal(false);
  const error = useSignal<Error | null>(null);
  const turn = useRef(0);
  const key = JSON.stringify(variables);
  const renew = () => {
    turn.current += 1;
    further.value = null;
    error.value = null;
    isReading.value = false;
    hasWanted.value = false;
  };
  useEffect(
    () =>
      effect(() => {
        void at.value;
        renew();
      }),
    [key],
  );
  const first = useComputed(() => (asked.value.data === null ? null : readPage(asked.value.data, find)));
  const rows = useComputed(() => further.value ?? first.value);

  /** Whether the first page is of what is asked for now: what comes after that of another filter or block is of another list. */
  const isFirstMeant = () =>
    asked.peek().error === null &&
    JSON.stringify(asked.peek().variables) === JSON.stringify({ ...variables, at: at.peek() });

  const more = async () => {
    const before = rows.peek();
    if (before === null || !before.hasMore || isReading.peek()) return;
    if (further.peek() === null && !isFirstMeant()) return;
    isReading.value = true;
    hasWanted.value = true;
    const given = { ...variables, at: before.height, after: before.cursor } as unknown as Variables;
    const mine = turn.current;
    const { page, problem } = await ask(operation, given).then(
      (data) => ({ page: readPage(data, find), problem: null }),
      (problem: Error) => ({ page: null, problem }),
    );
    // The list was begun anew meanwhile.
    if (turn.current !== mine) return;
    if (page !== null) further.value = { ...page, ...join(before, page), heldAt: page.height };
    error.value = problem;
    isReading.value = false;
  };
  return { asked, rows, isReading, hasWanted, error, more, renew };
}

/** The newest rows of those that were read, as many as are kept. */
function join<Node>({ nodes, left }: Rows<Node>, page: Rows<Node>): Pick<Rows<Node>, 'nodes' | 'left'> {
  const all = [...nodes, ...page.nodes];
  const tooMany = Math.max(0, all.length - MOST_ROWS);
  return { nodes: all.slice(tooMany), left: left + tooMany };
}

function readPage<Data extends OfOneBlock, Node>(
  data: Data,
  find: (data: Data) => Connection<Node> | null | undefined,
): Read<Node> | null {
  const page = find(data);
  if (!page) return null;
  return {
    nodes: page.edges.map(({ node }) => node),
    left: 0,
    count: page.totalCount,
    hasMore: page.pageInfo.hasNextPage,
    cursor: page.pageInfo.endCursor,
    height: data.asOf?.block?.height ?? null,
    heldAt: null,
  };
}
