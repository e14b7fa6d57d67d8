import type { Request, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { badRequest, errorsOf, withClientErrors } from '../engine/client-errors.ts';
import { parseJson } from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import type { OperationCost } from '../engine/price/cost.ts';
import { checkPrice } from '../engine/price/limits.ts';
import type { Operation, QueryOutcome } from '../engine/question.ts';
import { jsonOf, resultOf } from '../engine/run/json-result.ts';
import { OPERATION_LIMITS } from '../graphql/costs.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { failedAnswer } from './graphql-answer.ts';
import { chooseMediaType, isJson } from './media-types.ts';

/** What is asked at one place of a batch: an operation, or what is wrong with it. */
type Entry = Operation | { readonly wrong: unknown };

/**
 * Answers a list of operations with the list of their results, as Apollo's BatchHttpLink sends and takes them. It is
 * admitted as one operation that costs what all of them do. What is wrong with one is its own result; what is wrong with
 * the list refuses it. Everything that is no list is left to the next handler.
 */
export function serveBatches(engine: Engine, writer: AnswerWriter, logger: Logger) {
  return async (request: Request, response: Response, next: () => void): Promise<void> => {
    const { method, headers } = request;
    if (method !== 'POST' || !isJson(headers['content-type']) || !beginsAsList(request.body)) return next();
    const exchange = exchangeOf(response);
    const { scope } = exchange;
    const mediaType = chooseMediaType(headers.accept) ?? 'application/json';
    try {
      const { client } = scope;
      const list = await engine.readBytes(client, request.body.length, () => readList(request.body));
      const entries: Entry[] = [];
      for (const given of list) entries.push(await readEntry(engine, given, client));
      const results = await engine.admit(scope, sumOf(entries).cost, () =>
        runEntries(entries, engine.executeAsOne(scope), logger),
      );
      const body = `[${results.join(',')}]`;
      await writer.send(exchange, new Answer(`${mediaType}; charset=utf-8`, body));
    } catch (error) {
      await writer.send(exchange, failedAnswer(error, { mediaType, id: exchange.id, logger }));
    }
  };
}

/** Whether a body is a list, if it is JSON at all. */
function beginsAsList(body: unknown): boolean {
  return Buffer.isBuffer(body) && /^[ \t\r\n]*\[/.test(body.toString('latin1', 0, 1024));
}

function readList(body: Buffer): readonly unknown[] {
  const given = parseJson(body) as readonly unknown[];
  const { batch } = OPERATION_LIMITS;
  if (given.length === 0 || given.length > batch)
    throw badRequest('body', `The batch has ${given.length} operations; it takes 1 to ${batch}.`);
  return given;
}

async function readEntry(engine: Engine, given: unknown, client: string): Promise<Entry> {
  try {
    // Its bytes are those of the list; ten that are known, one behind the other, would be one piece that others wait for.
    const operation = await engine.readBytes(client, 0, () => engine.read(given, 'batch', client));
    if (operation.node.operation === 'subscription')
      throw badRequest('query', 'A subscription is no part of a batch: ask for it in a request of its own.');
    return operation;
  } catch (error) {
    return { wrong: error };
  }
}

/** What all of them cost together. Throws INVALID_ARGUMENT where that is too much for one. */
function sumOf(entries: readonly Entry[]): OperationCost {
  const sum = { cost: 0, counts: 0, introspection: 0, places: 0 };
  for (const entry of entries) {
    if ('wrong' in entry) continue;
    sum.cost += entry.price.cost;
    sum.counts += entry.price.counts;
    sum.introspection += entry.price.introspection;
    sum.places += entry.price.places;
  }
  try {
    checkPrice(sum);
  } catch {
    throw badRequest(
      'body',
      `The operations of the batch can cost ${sum.cost} (of the schema ${sum.introspection}) and select totalCount ${sum.counts} times together; the most is ${OPERATION_LIMITS.cost} (${OPERATION_LIMITS.introspection}) and ${OPERATION_LIMITS.counts}, as for one, and of ${sum.places} fields ${OPERATION_LIMITS.places}. Send fewer of them at once.`,
    );
  }
  return sum;
}

/** The JSON of each entry's result. */
function runEntries(
  entries: readonly Entry[],
  execute: (operation: Operation) => Promise<QueryOutcome>,
  logger: Logger,
): Promise<readonly string[]> {
  const show = (result: ExecutionResult) => jsonOf(withClientErrors(result, logger));
  const run = async (entry: Entry) => {
    if ('wrong' in entry) return show({ errors: errorsOf(entry.wrong) });
    try {
      return show(resultOf(await execute(entry)));
    } catch (error) {
      return show({ errors: errorsOf(error) });
    }
  };
  return Promise.all(entries.map(run));
}
