import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { PageWalk } from '../engine/page-walk.ts';
import type { Operation, QueryOutcome } from '../engine/question.ts';
import { jsonOfData } from '../engine/run/json-result.ts';
import { invalidArgument, originalOf, quoted, Rejection } from '../errors.ts';
import { schema } from '../graphql/index.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { ROW_FORMATS, type RowFormat, rowWriter } from '../http/write/csv.ts';
import { type Exchange, exchangeOf } from '../http/write/exchange.ts';
import { type HeaderList, setHeaders } from '../http/write/ready-head.ts';
import { sendRowStream } from '../http/write/row-stream.ts';
import { failedAnswer } from './graphql-answer.ts';
import { chooseMediaType } from './media-types.ts';
import { lengthOf, readParams } from './request-params.ts';
import { type PagedField, tableForm } from './table-columns.ts';
import {
  checkRepeated,
  countRepeated,
  rowsToWrite,
  type TableText,
  textOfTable,
  type Values,
} from './table-rows.ts';
import { WholeList } from './whole-lists.ts';

export interface TableOptions {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly logger: Logger;
  /** Its latest block is the newest that this process knows of. */
  readonly feed: { readonly latest: { readonly height: bigint; readonly position: bigint } };
  readonly ignored: IgnoredParameters;
}

/** What becomes of the parameters in an address that have no meaning for a table. */
interface IgnoredParameters {
  readonly name: (request: Request, rawQuery: string) => HeaderList;
  /** Throws INVALID_ARGUMENT where the request wants them refused. */
  readonly refuse: (request: Request, rawQuery: string) => void;
}

/**
 * Answers a query with a table where its client asks for one, by `format` in the address or by `Accept`: the rows of the list that it
 * selects, as CSV or as lines of JSON. Everything else is left to the next handler.
 */
export function serveTables(options: TableOptions): RequestHandler {
  const { engine, writer, logger, ignored } = options;
  return async (request, response, next) => {
    const format = formatOf(request);
    if (format === null) return next();
    const exchange = exchangeOf(response);
    const { scope, id } = exchange;
    try {
      const bytes = lengthOf(request);
      const params = await engine.readBytes(scope.client, bytes, () => readParams(request));
      if (params === null || (await engine.typeOf(params, scope.client)) === 'subscription') return next();
      const [, rawQuery = ''] = request.originalUrl.split(/\?(.*)/s);
      setHeaders(response, ignored.name(request, rawQuery));
      ignored.refuse(request, rawQuery);
      checkUnits(parametersOf(request).get('units'));
      await sendTable(exchange, format, params, request, options);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const mediaType = 'application/graphql-response+json';
      // A table has no place for what went wrong with a part of it.
      const cause = (error instanceof Error && originalOf(error)) || error;
      await writer.send(exchange, failedAnswer(cause, { mediaType, id, logger }));
    }
  };
}

async function sendTable(
  exchange: Exchange,
  format: RowFormat,
  params: unknown,
  request: Request,
  options: TableOptions,
): Promise<void> {
  const { engine, writer } = options;
  const { scope } = exchange;
  let table: Table | undefined;
  try {
    const answering = engine.answer({
      key: `table ${format} ${request.originalUrl} ${request.body ?? ''}`,
      ...{ scope, bytes: lengthOf(request) },
      async read(reader) {
        const operation = await reader.read(params, 'http', scope.client);
        // What cannot be a table is refused before it runs.
        table = { operation, form: tableForm(schema, operation), format };
        if (table.form.paged !== null) throw new IsWhole(table, table.form.paged);
        return operation;
      },
      write: (outcome) => writeTable(outcome, table as Table, (cost) => engine.charge(scope.client, cost)),
    });
    if (answering instanceof Rejection) throw answering;
    await writer.send(exchange, await answering);
  } catch (error) {
    if (!(error instanceof IsWhole)) throw error;
    await sendWhole(exchange, error, options);
  }
}

/** A table of a query: how it is asked for, and what it comes to. */
interface Table extends TableText {
  readonly operation: Operation;
}

/** Charges for values that are told again: the price of the query has each of them once. */
type Charge = (values: number) => void | Promise<void>;

/** Says that a table is no one answer: its list has pages, and it has all of them. */
class IsWhole extends Error {
  readonly table: Table;
  readonly field: PagedField;

  constructor(table: Table, field: PagedField) {
    super('the table is a whole list');
    this.table = table;
    this.field = field;
  }
}

/** Answers with all pages of a list as of one block, each a question of its own, while the reader takes them. */
async function sendWhole(
  exchange: Exchange,
  { table, field }: IsWhole,
  { engine, feed }: TableOptions,
): Promise<void> {
  const { operation, form, format } = table;
  const { latest } = feed;
  const list = new PageWalk(new WholeList(operation, field, engine), engine, exchange.scope);
  // Before the first block there is none to ask as of, and no row.
  const newest = latest.position === 0n ? null : { height: latest.height };
  const { asOf: block, isFinal } = await list.readFirst(form.asOf ?? newest);
  await sendRowStream(exchange, {
    ...{ format, block, isFinal, isLasting: false },
    pages: rowsOfPages(list, table),
    writer: rowWriter(format, form.columns),
    file: nameOf(operation),
  });
}

async function* rowsOfPages(list: PageWalk<Values>, table: Table): AsyncGenerator<Iterable<object>> {
  for await (const [data = null] of list.walk()) {
    const repeated = countRepeated(data, table.form);
    if (repeated > 0) await list.chargePatiently(repeated);
    yield rowsToWrite(data, table);
  }
}

function nameOf({ node }: Operation): string {
  return node.name?.value ?? 'answer';
}

/** Throws INVALID_ARGUMENT where a table is to have amounts in units: it has what its query selects. */
function checkUnits(given: string | null): void {
  if (given === null || given === '' || given === 'false') return;
  throw invalidArgument(
    'units',
    `Parameter units is ${quoted(given)}, which goes with the lists of paths: a table has the columns that its query selects. Select the decimals of the asset beside its amounts.`,
  );
}

function parametersOf({ originalUrl }: Request): URLSearchParams {
  return new URL(originalUrl, 'http://localhost').searchParams;
}

/** The form of rows that is asked for; null where it is none. Throws INVALID_ARGUMENT for a format that there is not. */
function formatOf(request: Request): RowFormat | null {
  const given = parametersOf(request).get('format');
  if (given === 'json') return null;
  // As on the paths, nothing is as good as no parameter.
  if (given) {
    const format = ROW_FORMATS.find((one) => one === given);
    if (format !== undefined) return format;
    throw invalidArgument(
      'format',
      `Parameter format takes one of json, ${ROW_FORMATS.join(', ')}, not ${quoted(given)}.`,
    );
  }
  const accept = request.get('Accept') ?? '';
  // Clients that ask for streams in such forms take JSON for a query.
  if (chooseMediaType(accept) !== null) return null;
  if (/text\/csv/i.test(accept)) return 'csv';
  return /application\/(?:x-ndjson|ndjson|jsonl)/i.test(accept) ? 'ndjson' : null;
}

async function writeTable(outcome: QueryOutcome, table: Table, charge: Charge): Promise<Answer> {
  const { form, format, operation } = table;
  const { contentType, extension } = rowWriter(format, form.columns);
  const data: Values | null = JSON.parse(jsonOfData(outcome));
  const repeated = countRepeated(data, form);
  checkRepeated(repeated, form);
  if (repeated > 0) await charge(repeated);
  const headers = ['Content-Disposition', `attachment; filename="${nameOf(operation)}.${extension}"`];
  return new Answer(contentType, await textOfTable(data, table), headers, { isFinal: outcome.isFinal });
}
