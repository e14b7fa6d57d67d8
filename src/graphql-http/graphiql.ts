import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type Response, Router } from 'express';
import { onlyMethods } from '../http/limits/methods.ts';
import { makeOnce } from '../http/pages/serve-once.ts';
import { Answer, hasAlready, IMMUTABLE } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';

/** What it is made of, once it is built. The sources are in graphiql; compiled or not, this file is as deep. */
const FOLDER = new URL('../../dist/graphiql/', import.meta.url);
const PAGE = 'index.html';
const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;
/** Scripts and sheets are each under a name that changes with it. */
const A_YEAR = ['Cache-Control', IMMUTABLE];
/** What a byte costs that is sent, in the unit of operations. */
const COST_OF_BYTE = 0.002;

/**
 * Serves GraphiQL to browsers, with its scripts, 9 MB of them, so that nothing is fetched from elsewhere. Each file is read when
 * it is first asked for. `charge` is told what a client is sent, and throws where that is more than it may have.
 */
export function serveGraphiql(
  writer: AnswerWriter,
  charge: (client: string, cost: number) => void | Promise<void>,
): Router {
  const findPage = makeOnce(() => readAnswer(PAGE));
  const findAssets = makeOnce(listAssets);
  const router = Router({ caseSensitive: true, strict: true });
  const send = async (response: Response, answer: Answer) => {
    const exchange = exchangeOf(response);
    if (!hasAlready(exchange.request, answer.etag))
      await charge(exchange.scope.client, COST_OF_BYTE * answer.bytes);
    await writer.send(exchange, answer);
  };
  router.all('/graphql', async (request, response, next) => {
    if (!asksForPage(request)) return next();
    await send(response, await findPage());
  });
  router.all('/graphql/assets/:name', onlyMethods('GET'), async (request, response, next) => {
    const find = (await findAssets()).get(String(request.params['name']));
    if (find === undefined) next();
    else await send(response, await find());
  });
  return router;
}

/** What gives each of its scripts and sheets, by its name. */
async function listAssets(): Promise<ReadonlyMap<string, () => Promise<Answer>>> {
  const names = (await readdir(FOLDER)).filter((name) => name !== PAGE);
  return new Map(names.map((name) => [name, makeOnce(() => readAnswer(name, A_YEAR))]));
}

/** A file as bytes, which all who are being answered share. */
async function readAnswer(name: string, headers: readonly string[] = []): Promise<Answer> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];
  const answer = new Answer(type, await readFile(new URL(name, FOLDER)), headers);
  answer.keepForGood();
  return answer;
}

/** As browsers ask when somebody goes there. */
function asksForPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
}
