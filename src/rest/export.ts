import type { Request } from 'express';
import type { ResultOf } from 'gql.tada';
import type { Engine } from '../engine/engine.ts';
import { type PagedList, PageWalk } from '../engine/page-walk.ts';
import { invalidArgument } from '../errors.ts';
import { LONGEST_ACCEPT } from '../http/preferences.ts';
import { type Column, type RowFormat, rowWriter } from '../http/write/csv.ts';
import type { Exchange } from '../http/write/exchange.ts';
import { sendRowStream } from '../http/write/row-stream.ts';
import { AssetUnits, listDecimals } from './asset-units.ts';
import { checkExport } from './export-parameters.ts';
import { parsedDataOf, type Route, type RouteRequest } from './route.ts';

export interface ExportOptions {
  readonly engine: Engine;
  readonly feed: { readonly latest: { readonly height: bigint; readonly position: bigint } };
  /** The members of a route's rows, as its answer is documented. */
  readonly columnsOf: (route: Route) => Promise<readonly Column[]>;
}

/** The types that `Accept` may ask for, the documented one first, and the forms that they are. */
const ACCEPTED = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
} as const;

/** What an `Accept` has that may be answered with an export: `text/*` is no wish for CSV. */
const NAMES_EXPORT = /csv|ndjson/i;

/** Whether a request may ask for an export, so that it is to be read as one. A name that has an escape may be any. */
export function mayAskForExport({ request: { url = '', headers } }: Exchange): boolean {
  // Each name is looked through once: a `?` in one begins another, which is as good, and keeps the search linear.
  return /[?&](?:format=|[^=&?]*%)/.test(url) || NAMES_EXPORT.test(headers.accept ?? '');
}

/** The form that is asked for, by the parameter or by `Accept`; the documented one where that has none of ours. */
export function chooseFormat({ pages }: RouteRequest, request: Request): RowFormat | 'json' {
  const { accept = '' } = request.headers;
  const isRead = accept.length <= LONGEST_ACCEPT && NAMES_EXPORT.test(accept);
  const accepted = isRead && request.accepts(Object.keys(ACCEPTED));
  const chosen = pages?.export.format ?? (accepted ? ACCEPTED[accepted as keyof typeof ACCEPTED] : 'json');
  if (pages !== undefined) checkExport(pages.export, chosen);
  return chosen;
}

/**
 * Answers with all rows of a list, as of one block: page after page, each a question of its own, while the reader takes them.
 * What fails behind the first page cuts the body, which the client sees by its missing end.
 */
export async function sendExport(
  route: Route,
  asked: RouteRequest,
  format: RowFormat,
  exchange: Exchange,
  { engine, feed, columnsOf }: ExportOptions,
): Promise<void> {
  const { latest } = feed;
  // Before the first block there is none to ask as of, and no row.
  const newest = latest.position === 0n ? null : { height: latest.height };
  const list = new PageWalk(pagedList(route, asked, engine), engine, exchange.scope);
  const first = await list.readFirst(asked.asOf ?? newest);
  const { asOf: block, isFinal } = first;
  const columns = await columnsOf(route);
  const units = asked.pages?.export.isInUnits ? unitsOf(columns, engine, list) : null;
  // Before the answer begins, as the first page is read: that fails then as any other.
  if (units !== null && asked.pages !== undefined) await units.learn(asked.pages.read(first).rows);
  await sendRowStream(exchange, {
    ...{ format, block, isFinal, isLasting: isFinal && asked.asOf !== null },
    pages: units === null ? list.walk() : addUnits(list.walk(), units),
    writer: rowWriter(format, units === null ? columns : [...columns, units.column]),
    file: `${nameOf(route)}-${block?.height ?? 0}`,
    ...(units !== null && { variant: 'units' }),
  });
}

/** How a path's list is read page by page. */
function pagedList(
  { operation, parameters }: Route,
  { pages, asOf: named }: RouteRequest,
  engine: Engine,
): PagedList<object> {
  if (pages === undefined) throw new TypeError('the route has no pages');
  return {
    ask(after, size, asOf) {
      // Who names no block goes on after a page of the present, and need not know that an export is as of one.
      const variables = pages.variablesAfter(after, size, named === null ? asOf?.height : null);
      return engine.price(operation, variables, 'rest', { asOf });
    },
    read: pages.read,
    most: pages.export.most,
    countOf: pages.countOf,
    largest: parameters['pagination.first']?.type.schema.maximum,
  };
}

function nameOf({ path }: Route): string {
  return path
    .replace(/^\/(?:api\/v2\/)?/, '')
    .replace(/\/:\w+/g, '')
    .replaceAll('/', '-');
}

function unitsOf(columns: readonly Column[], engine: Engine, list: PageWalk<object>): AssetUnits {
  const units = AssetUnits.of(columns, async (ids) => {
    const variables = { ids, first: ids.length };
    const ask = (asOf: RouteRequest['asOf']) => engine.price(listDecimals, variables, 'rest', { asOf });
    const { assets } = parsedDataOf<ResultOf<typeof listDecimals>>(await list.askPatiently(ask));
    return assets.edges.map(({ node }) => node);
  });
  if (units !== null) return units;
  throw invalidArgument(
    'units',
    'Parameter units is "true", and the rows have no amount of an asset that they name.',
  );
}

async function* addUnits(
  pages: AsyncIterable<readonly object[]>,
  units: AssetUnits,
): AsyncGenerator<readonly object[]> {
  for await (const rows of pages) yield await units.addTo(rows);
}
