import type { OutgoingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Response, Router } from 'express';
import type { Engine } from '../engine/engine.ts';
import type { Question } from '../engine/question.ts';
import { reply, replyKept } from '../engine/reply.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { Answer, CACHE_CONTROL, hasAlready } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { type Exchange, exchangeOf } from '../http/write/exchange.ts';
import { escapeJson, toReferenceForm, wantsPretty } from '../http/write/json.ts';
import { NO_HEADERS, type ReadyHeaders, readyHeaders, setHeaders } from '../http/write/ready-head.ts';
import { findIgnoredParameters, type IgnoredParameters, prefersStrict } from './ignored-parameters.ts';
import { type ListTags, tagList } from './list-tags.ts';
import { createPathMatcher } from './match.ts';
import { queryOf } from './query-string.ts';
import type { PageRequest, Route } from './route.ts';

export interface RestOptions {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly tags: ListTags;
  /** Its latest block is the newest that this process knows of; the database is never behind it. */
  readonly feed: { readonly latest: NamedBlock };
}

/** The documented paths, each a GraphQL operation that the engine answers. */
export interface Rest {
  /** Answers a GET of a path whose body is made at once; false where the address is of none. */
  answer(exchange: Exchange): boolean;
  /** The same of every documented path, within the application. */
  readonly router: Router;
}

/** A block as answers name it; its position is the same of all gateways that have come as far. */
interface NamedBlock {
  readonly height: bigint;
  readonly timestamp: bigint;
  readonly position: bigint;
}

type PathValues = Readonly<Record<string, unknown>>;

export function serveRest(routes: readonly Route[], options: RestOptions): Rest {
  const { writer, feed } = options;
  const nameBlock = createBlockNamer(feed);
  const router = Router({ caseSensitive: true, strict: true });
  const whole: { readonly path: string; readonly answer: (exchange: Exchange, path: PathValues) => void }[] =
    [];
  for (const route of routes) {
    const ignored = findIgnoredParameters(route.parameters);
    if (route.form.kind === 'rows') {
      router.all(route.path, onlyMethods(route.method), (request, response) =>
        streamList(route, request.params, exchangeOf(response), { ...options, nameBlock, ignored }),
      );
      continue;
    }
    const answer = (exchange: Exchange, path: PathValues) => {
      // The block is read first: the body can then be newer than the headers say, never older.
      const block = nameBlock();
      const url = urlOf(exchange);
      if (!prefersStrict(exchange.request) && replyKept(options, exchange, url, block)) return;
      const question = questionOf(route, path, url, exchange, ignored);
      void reply(options, exchange, question, block, (error) =>
        writer.fail(
          exchange,
          error,
          readyHeaders([...block.list, ...ignored.name(exchange.request, queryOf(url))]),
        ),
      );
    };
    whole.push({ path: route.path, answer });
    router.all(route.path, onlyMethods(route.method), (request, response) =>
      answer(exchangeOf(response), request.params),
    );
  }
  const match = createPathMatcher(whole);
  return {
    router,
    answer(exchange) {
      const { url = '' } = exchange.request;
      // Before its path is found: only an answer to a documented path is kept under an address.
      if (!prefersStrict(exchange.request) && replyKept(options, exchange, url, nameBlock())) return true;
      const found = match(url);
      if (found === null) return false;
      found.one.answer(exchange, found.values);
      return true;
    },
  };
}

/** Makes what gives the headers that name the newest block. */
function createBlockNamer(feed: RestOptions['feed']): () => ReadyHeaders {
  let named: NamedBlock | null = null;
  let headers = NO_HEADERS;
  return () => {
    const { latest } = feed;
    // Written once for each block, not for each request.
    if (latest !== named) {
      named = latest;
      headers = readyHeaders([
        ...['X-Block-Height', `${latest.height}`],
        ...['X-Block-Timestamp', `${latest.timestamp}`],
      ]);
    }
    return headers;
  };
}

function questionOf(
  route: Route,
  path: PathValues,
  url: string,
  { request: { headers }, scope }: Exchange,
  ignored: IgnoredParameters,
): Question {
  let request: ReturnType<Route['read']>;
  return {
    // The same address is another question to who prefers what it has no meaning for to be refused.
    key: prefersStrict({ headers }) ? `strict ${url}` : url,
    scope,
    bytes: url.length,
    read(engine) {
      ignored.refuse({ headers }, queryOf(url));
      request = route.read(path, queryOf(url));
      return engine.price(route.operation, request.variables, 'rest');
    },
    write: (outcome) =>
      new Answer(
        'application/json',
        toReferenceForm(request.toJson(outcome), url),
        ignored.name({ headers }, queryOf(url)),
      ),
  };
}

/** The address as it was sent, which Express cuts for routers. */
function urlOf({ request }: Exchange): string {
  const { url = '', originalUrl = url } = request as { url?: string; originalUrl?: string };
  return originalUrl;
}

/** Answers with a list that may be too long to hold. It is known by a tag, so that a client need not read it again. */
async function streamList(
  route: Route,
  path: PathValues,
  exchange: Exchange,
  {
    engine,
    tags,
    feed,
    nameBlock,
    ignored,
  }: RestOptions & { readonly nameBlock: () => ReadyHeaders; readonly ignored: IgnoredParameters },
): Promise<void> {
  const { request, scope } = exchange;
  const response = exchange.response as Response;
  const url = urlOf(exchange);
  setHeaders(response, [...nameBlock().list, ...ignored.name(request, queryOf(url))]);
  ignored.refuse(request, queryOf(url));
  const { variables, pages } = route.read(path, queryOf(url));
  if (pages === undefined) throw new TypeError('the route has no pages');
  const run = (variables: PathValues, waiting = scope) =>
    engine.run(engine.price(route.operation, variables, 'rest'), waiting);
  const { etag, first } = await tagList(url, scope, (scopes) => run(variables, scopes), {
    tags,
    feed,
  });
  setHeaders(response, ['Cache-Control', CACHE_CONTROL, 'ETag', etag]);
  if (hasAlready(request, etag)) return void response.writeHead(304).end();
  // The first page is read before the answer begins, so that its failure is still a proper error.
  const page = pages.read(first ?? (await run(variables)));
  response.setHeader('Content-Type', 'application/json');
  if (request.method === 'HEAD') return void response.end();
  const rest = walkPages(pages, page, (after) => run(pages.variablesAfter(after)));
  await sendRows(response, writeRows(pages.field, rest, wantsPretty(url)));
}

async function* walkPages(
  pages: PageRequest,
  first: ReturnType<PageRequest['read']>,
  run: (after: string) => Promise<Parameters<PageRequest['read']>[0]>,
): AsyncGenerator<readonly unknown[]> {
  let page = first;
  yield page.rows;
  while (page.next !== null) {
    page = pages.read(await run(page.next));
    yield page.rows;
  }
}

/** The pipeline waits where the client reads slowly, and stops asking when it is gone. */
async function sendRows(response: OutgoingMessage, rows: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(rows, { objectMode: false }), response).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    },
  );
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
