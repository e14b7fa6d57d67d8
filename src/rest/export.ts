import type { Request, Response } from 'express';
import type { Engine } from '../engine/engine.ts';
import type { QueryOutcome } from '../engine/question.ts';
import { invalidArgument } from '../errors.ts';
import { CACHE_CONTROL, hasAlready, IMMUTABLE } from '../http/write/answer.ts';
import { type Column, type RowFormat, type RowWriter, rowWriter } from '../http/write/csv.ts';
import type { Exchange } from '../http/write/exchange.ts';
import { type HeaderList, setHeaders } from '../http/write/ready-head.ts';
import { TimeSlice } from '../time-slice.ts';
import { AssetUnits } from './asset-units.ts';
import { blockHead } from './block-head.ts';
import { ExportPages } from './export-pages.ts';
import { checkExport } from './export-parameters.ts';
import type { Route, RouteRequest } from './route.ts';
import { sendRows } from './whole-list.ts';

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

/** Whether a request may ask for an export, so that it is to be read as one. A name that has an escape may be any. */
export function mayAskForExport({ request: { url = '', headers } }: Exchange): boolean {
  return /[?&](?:format=|[^=&]*%)/.test(url) || /csv|ndjson/i.test(headers.accept ?? '');
}

/** The form that is asked for, by the parameter or by `Accept`; the documented one where that has none of ours. */
export function chooseFormat({ pages }: RouteRequest, request: Request): RowFormat | 'json' {
  const accepted = request.accepts(Object.keys(ACCEPTED));
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
  const { request, scope } = exchange;
  const response = exchange.response as Response;
  const { latest } = feed;
  // Before the first block there is none to ask as of, and no row.
  const newest = latest.position === 0n ? null : { height: latest.height };
  const list = new ExportPages(route, asked, engine, scope);
  const first = await list.readFirst(asked.asOf ?? newest);
  const columns = await columnsOf(route);
  const units = asked.pages?.export.isInUnits ? unitsOf(columns, list) : null;
  const writer = rowWriter(format, units === null ? columns : [...columns, units.column]);
  const { etag, headers } = headOf(route, first, asked, {
    format,
    writer,
    isInUnits: units !== null,
    request,
  });
  setHeaders(response, headers);
  if (hasAlready(request, etag)) return void response.writeHead(304).end();
  setHeaders(response, ['Content-Type', writer.contentType]);
  if (request.method === 'HEAD') return void response.end();
  await sendRows(response, writeRows(list.walk(), writer, units));
}

function unitsOf(columns: readonly Column[], list: ExportPages): AssetUnits {
  const units = AssetUnits.of(columns, (ids) => list.readDecimals(ids));
  if (units !== null) return units;
  throw invalidArgument(
    'units',
    'Parameter units is "true", and the rows have no amount of an asset that they name.',
  );
}

interface Written {
  readonly format: RowFormat;
  readonly writer: RowWriter;
  readonly isInUnits: boolean;
  readonly request: Exchange['request'];
}

/** What is said of an export before its rows. They are compressed as they come, and so in bytes that may differ. */
function headOf(
  { path }: Route,
  { asOf, isFinal }: QueryOutcome,
  asked: RouteRequest,
  { format, writer, isInUnits, request }: Written,
): { readonly etag: string; readonly headers: HeaderList } {
  const etag = `W/"${asOf?.lastPosition ?? 0}-${format}${isInUnits ? '-units' : ''}"`;
  const name = path.replace(/^\/(?:api\/v2\/)?/, '').replace(/\/:\w+/g, '');
  const file = `${name.replaceAll('/', '-')}-${asOf?.height ?? 0}.${writer.extension}`;
  return {
    etag,
    headers: [
      ...(asOf === null ? [] : blockHead(asOf, request).list),
      ...['Cache-Control', isFinal && asked.asOf !== null ? IMMUTABLE : CACHE_CONTROL],
      ...['ETag', etag, 'Content-Disposition', `attachment; filename="${file}"`],
    ],
  };
}

/** So much text is handed over at a time. */
const PIECE = 2 ** 16;

async function* writeRows(
  pages: AsyncIterable<readonly object[]>,
  { header, write }: RowWriter,
  units: AssetUnits | null,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let text = header;
  for await (const rows of pages) {
    for (const row of units === null ? rows : await units.addTo(rows)) {
      text += write(row);
      if (slice.isOver()) await slice.next();
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}
