import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import type { QueryOutcome } from '../engine/question.ts';
import { dataOf } from '../engine/run/json-result.ts';
import { invalidArgument, originalOf, quoted } from '../errors.ts';
import { schema } from '../graphql/index.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { type Column, ROW_FORMATS, type RowFormat, rowWriter, valueAt } from '../http/write/csv.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { failedAnswer } from './graphql-answer.ts';
import { chooseMediaType } from './media-types.ts';
import { lengthOf, readParams } from './request-params.ts';
import { type TableForm, tableForm } from './table-columns.ts';

/**
 * Answers a query with a table where its client asks for one, by `format` in the address or by `Accept`: the rows of the list that it
 * selects, as CSV or as lines of JSON. Everything else is left to the next handler.
 */
export function serveTables(engine: Engine, writer: AnswerWriter, logger: Logger): RequestHandler {
  return async (request, response, next) => {
    const format = formatOf(request);
    if (format === null) return next();
    const exchange = exchangeOf(response);
    const { scope, id } = exchange;
    try {
      const bytes = lengthOf(request);
      const params = await engine.readBytes(scope.client, bytes, () => readParams(request));
      if (params === null || (await engine.typeOf(params, scope.client)) === 'subscription') return next();
      let form: TableForm;
      let name: string | undefined;
      const answer = await engine.answer({
        key: `table ${format} ${request.originalUrl} ${request.body ?? ''}`,
        ...{ scope, bytes },
        async read(reader) {
          const operation = await reader.read(params, 'http', scope.client);
          // What cannot be a table is refused before it runs.
          form = tableForm(schema, operation);
          name = operation.node.name?.value;
          return operation;
        },
        write: (outcome) => writeTable(outcome, form, format, name),
      });
      await writer.send(exchange, answer);
    } catch (error) {
      const mediaType = 'application/graphql-response+json';
      // A table has no place for what went wrong with a part of it.
      const cause = (error instanceof Error && originalOf(error)) || error;
      await writer.send(exchange, failedAnswer(cause, { mediaType, id, logger }));
    }
  };
}

/** The form of rows that is asked for; null where it is none. Throws INVALID_ARGUMENT for a format that there is not. */
function formatOf(request: Request): RowFormat | null {
  const given = new URL(request.originalUrl, 'http://localhost').searchParams.get('format');
  if (given === 'json') return null;
  if (given !== null) {
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

type Values = Readonly<Record<string, unknown>>;

function writeTable(
  outcome: QueryOutcome,
  { columns, lists }: TableForm,
  format: RowFormat,
  name = 'answer',
): Answer {
  const data: Values = JSON.parse(dataOf(outcome));
  const { contentType, extension, header, write } = rowWriter(format, columns);
  let body = header;
  for (const row of rowsOf(data, lists))
    body += write(format === 'ndjson' ? toObject(row, columns) : (row ?? {}));
  const headers = ['Content-Disposition', `attachment; filename="${name}.${extension}"`];
  return new Answer(contentType, body, headers, { isFinal: outcome.isFinal });
}

/** The answer once for each row, with the row in the place of the list that it is in. */
function* rowsOf(
  value: Values | null,
  [list, ...within]: readonly (readonly string[])[],
): Generator<Values | null, void> {
  if (list === undefined) {
    yield value;
    return;
  }
  const items = valueAt(value, list);
  if (!Array.isArray(items)) return;
  for (const item of items) for (const row of rowsOf(item, within)) yield withRow(value ?? {}, list, row);
}

function withRow(value: Values, [name = '', ...rest]: readonly string[], row: Values | null): Values {
  const inner = rest.length === 0 ? row : withRow((value[name] ?? {}) as Values, rest, row);
  return { ...value, [name]: inner };
}

/** A row as lines of JSON have it: each value under the name of its column. */
function toObject(row: Values | null, columns: readonly Column[]): object {
  return Object.fromEntries(columns.map(({ name, path }) => [name, valueAt(row, path) ?? null]));
}
