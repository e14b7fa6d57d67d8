import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { escapeJson, wantsPretty, writeJson } from '../http/json.ts';
import { onlyMethods } from '../http/methods.ts';
import type { Execute } from '../operations/execute.ts';
import { ignoredParametersNamer } from './ignored-parameters.ts';
import { queryOf } from './query-string.ts';
import type { Body, Route } from './route.ts';

/** The newest block that this process knows of; the database is never behind it. */
export type LatestBlock = () => { readonly height: bigint; readonly timestamp: bigint };

/** Serves the documented paths: each request is one GraphQL operation, executed in this process. */
export function createRestRouter(
  routes: readonly Route[],
  execute: Execute,
  latestBlock: LatestBlock,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const nameIgnored = ignoredParametersNamer(route.parameters);
    router.all(route.path, onlyMethods(route.method), async (request, response) => {
      // The block is read first: the body can then be newer than the headers say, never older.
      nameBlock(response, latestBlock);
      const query = queryOf(request.originalUrl);
      nameIgnored(response, query);
      const question = route.read(request.params, query);
      await writeBody(request, response, await question.answer(execute));
    });
  }
  return router;
}

function nameBlock(response: Response, latestBlock: LatestBlock): void {
  const { height, timestamp } = latestBlock();
  response.setHeader('X-Block-Height', `${height}`);
  response.setHeader('X-Block-Timestamp', `${timestamp}`);
}

async function writeBody(request: Request, response: Response, body: Body): Promise<void> {
  if (body.kind === 'whole') return writeJson(request, response, 200, body.value);
  response.setHeader('Content-Type', 'application/json');
  if (request.method === 'HEAD') return void response.end();
  // The pipeline waits where the client reads slowly, and stops asking when it is gone.
  await pipeline(
    Readable.from(writeRows(body.field, body.pages, wantsPretty(request.originalUrl)), { objectMode: false }),
    response,
  ).catch((error) => {
    if (!isClientGone(error)) throw error;
  });
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** `{"votes":[…]}`, a page of rows at a time; indented as `writeJson` does it where that is wanted. */
async function* writeRows(
  field: string,
  pages: AsyncIterable<readonly unknown[]>,
  pretty: boolean,
): AsyncGenerator<string> {
  const [open, indent, close] = pretty ? ['{\n ', '\n  ', '\n ]\n}'] : ['{', '', ']}'];
  const write = (row: unknown) =>
    indent + (pretty ? JSON.stringify(row, null, 1).replaceAll('\n', '\n  ') : JSON.stringify(row));
  let separator = `${open}${JSON.stringify(field)}:${pretty ? ' ' : ''}[`;
  let isEmpty = true;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + escapeJson(rows.map(write).join(','));
    separator = ',';
    isEmpty = false;
  }
  yield isEmpty ? `${separator}]${pretty ? '\n}' : '}'}` : close;
}
