import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import type { ExecuteFor } from '../engine/execute.ts';
import type { FrontOptions } from '../http/front.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import type { PlainGets } from '../http/plain-requests.ts';
import { escapeJson, wantsPretty } from '../http/write/json.ts';
import { CACHE_CONTROL, hasAlready, sendAnswer, setHeaders, VARY } from '../http/write/send-answer.ts';
import { type TagOptions, tagList } from './list-tags.ts';
import { questionReader } from './questions.ts';
import type { Body, Route } from './route.ts';

export type RestOptions = Pick<FrontOptions, 'kept' | 'scopeOf'> & Pick<PlainGets, 'nameBlock'> & TagOptions;

/**
 * Serves the documented paths: each request is one GraphQL operation, executed in this process. Plain requests are
 * answered by the front before they come here.
 */
export function createRestRouter(
  routes: readonly Route[],
  executeFor: ExecuteFor,
  { kept, scopeOf, nameBlock, ...tagging }: RestOptions,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const read = questionReader(route, executeFor);
    router.all(route.path, onlyMethods(route.method), async (request, response) => {
      // The block is read first: the body can then be newer than the headers say, never older.
      setHeaders(response, nameBlock().list);
      const scope = scopeOf(request, response);
      const question = read(request.params, request.originalUrl);
      setHeaders(response, question.head);
      if (!route.isWhole) {
        const { etag, body } = await tagList(request.originalUrl, question, scope, tagging);
        response.vary(VARY);
        setHeaders(response, ['Cache-Control', CACHE_CONTROL, 'ETag', etag]);
        if (hasAlready(request, etag)) return void response.writeHead(304).end();
        return streamBody(request, response, body ?? (await question.ask(scope)));
      }
      const answer = await kept.ask(request.originalUrl, question.make, scope);
      response.vary(VARY);
      // In which content coding is for the application's compression to choose.
      await sendAnswer(request, response, answer, 'identity');
    });
  }
  return router;
}

async function streamBody(request: Request, response: Response, body: Body): Promise<void> {
  if (body.kind !== 'stream') throw new TypeError('the body is no stream');
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
