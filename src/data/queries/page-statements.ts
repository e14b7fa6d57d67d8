import type { Check, Field } from '../conditions.ts';
import type { AnyNoun, OrderName } from '../noun.ts';
import { dependsOnList, type TaggedNoun } from '../noun-tags.ts';
import { Slot, type Sql, sql } from '../sql.ts';
import { type Statement, shapeOf, Templates, withSlots } from '../templates.ts';
import { createOrderedScan } from './ordered-scans.ts';
import type { Owners } from './owners.ts';
import { createScan, narrowKeys, type Scan, type Scope } from './scans.ts';

/** Which part of a list is wanted: at most `limit` rows after `cursor`, or before it when `backward`. */
export interface PageRequest {
  readonly limit: number;
  /** The position of the row that the page starts beyond; null at the list's end that the walk starts from. */
  readonly cursor: bigint | null;
  /** The height of the block that the cursor's walk is of; null where that is the present, and where there is no cursor. */
  readonly asOf?: bigint | null;
  /** Whether the walk goes from the end of the list towards its start. */
  readonly backward: boolean;
  /** Whether the list begins with its newest row; else with its oldest. */
  readonly newestFirst: boolean;
  /** Another order than that of creation, if any, and the position that the page is as of then. */
  readonly order?: OrderName | null;
  readonly upTo?: bigint;
}

/**
 * Where the walk of a page begins: at the end of the list; with the row of the cursor; or past that, with a look at what
 * is on its other side.
 */
export type Start = 'end' | 'cursor' | 'past cursor';

/** A list, as far as its rows are walked. */
type Walked = TaggedNoun & Pick<AnyNoun, 'table' | 'indexes' | 'orders'>;

/** Which columns are read, and what is written around the statement that finds the rows. */
export interface Selection {
  readonly columns: Sql;
  write(found: Sql): Sql;
}

/**
 * The statements that read a selection of the columns of pages of lists. Each is written once for all that
 * differ in values alone, since to write it takes longer than to send it.
 */
export class PageStatements {
  readonly #templates = new Templates();
  readonly #selection: Selection;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  /** Reads a page of a list. */
  page(list: Walked, conditions: readonly Check[], request: PageRequest, start: Start): Statement {
    const shape = shapeOf(conditions);
    const key =
      shape.key === null ? null : `${list.name} ${orderOf(request)} ${start} ${walkOf(request)}${shape.key}`;
    const template = this.#templates.find(key, () => {
      return this.#write(list, request.order, withSlots(conditions, shape, FIRST_VALUE), (scan) =>
        pageStatement(start, request, scan),
      );
    });
    const values = [...given(request, start), NO_KEYS, request.upTo ?? null, ...shape.values];
    return template.fill(values, request.order ? 'nothing' : dependsOnList(list, conditions), request.limit);
  }

  /** Reads a page for each key, which its rows have as their last column, `scopeKey`. */
  pages(list: Walked, owners: Owners & Field, conditions: readonly Check[], request: PageRequest): Statement {
    const { keys, ...named } = owners;
    const { field } = named;
    const narrowed = narrowKeys(field, keys, conditions);
    const shape = shapeOf(narrowed.conditions);
    const start = request.cursor === null ? 'end' : 'past cursor';
    const key =
      shape.key === null
        ? null
        : `${list.name} of ${field} ${orderOf(request)} ${start} ${walkOf(request)}${shape.key}`;
    const template = this.#templates.find(key, () => {
      const scope: Scope = { ...named, source: 'scope' };
      const slotted = withSlots(narrowed.conditions, shape, FIRST_VALUE);
      return this.#write(
        list,
        request.order,
        slotted,
        (scan) => pagesStatement(pageStatement(start, request, scan)),
        scope,
      );
    });
    const values = [...given(request, start), narrowed.keys, request.upTo ?? null, ...shape.values];
    const dependsOn = request.order ? 'nothing' : dependsOnList(list, conditions, owners);
    return template.fill(values, dependsOn, request.limit * keys.length);
  }

  #write(
    list: Walked,
    name: PageRequest['order'],
    conditions: readonly Check[],
    statementOf: (scan: Scan) => Sql,
    scope?: Scope,
  ): Sql {
    const { columns } = this.#selection;
    const selected = { table: { ...list.table, columns }, indexes: list.indexes };
    const order = name ? list.orders[name] : undefined;
    const scan = order
      ? createOrderedScan(selected, order, conditions, sql`${UP_TO}::bigint`, scope)
      : createScan(selected, conditions, scope);
    const found = statementOf(scan);
    return this.#selection.write(found);
  }
}

const [LIMIT, CURSOR, BEYOND, KEYS] = [new Slot(0), new Slot(1), new Slot(2), new Slot(3)] as const;
const UP_TO = new Slot(4);
const FIRST_VALUE = 5;
const NO_KEYS: readonly string[] = [];

/** The values of the first slots: how many rows are read, the position of the cursor, and the one beyond it. */
function given(request: PageRequest, start: Start): readonly [number, bigint | null, bigint | null] {
  const { limit, cursor } = request;
  if (cursor === null) return [limit + 1, null, null];
  if (start === 'cursor') return [limit + 2, cursor, null];
  return [limit + 1, cursor, walkOf(request) === 'DESC' ? cursor - 1n : cursor + 1n];
}

/**
 * One row more than the page on the side that it walks to, which says whether the list goes on there; and on the other
 * side the cursor's own row or, where that is gone by now, one row beyond it.
 */
function pageStatement(start: Start, request: PageRequest, scan: Scan): Sql {
  const onwards = walkOf(request);
  const [from, until, back] =
    onwards === 'DESC' ? (['most', 'least', 'ASC'] as const) : (['least', 'most', 'DESC'] as const);
  if (start === 'end') return scan(onwards, {}, LIMIT);
  if (start === 'cursor') return scan(onwards, { [from]: sql`${CURSOR}::bigint` }, LIMIT);
  const beyond = scan(onwards, { [from]: sql`${BEYOND}::bigint` }, LIMIT);
  const behind = scan(back, { [until]: sql`${CURSOR}::bigint` }, 1);
  return sql`(${beyond}) UNION ALL (${behind})`;
}

/** A page for each key, which the scan has as `scope.key`. */
function pagesStatement(page: Sql): Sql {
  return sql`
    SELECT page.*, scope.key AS "scopeKey"
    FROM unnest(${KEYS}::text[]) AS scope (key)
    CROSS JOIN LATERAL (${page}) AS page`;
}

function orderOf({ order }: PageRequest): OrderName | 'CREATED' {
  return order ?? 'CREATED';
}

/** The direction of positions in which a page is walked. */
export function walkOf({ backward, newestFirst }: PageRequest): 'ASC' | 'DESC' {
  return newestFirst !== backward ? 'DESC' : 'ASC';
}
