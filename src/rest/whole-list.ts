import type { Response } from 'express';
import type { Engine } from '../engine/engine.ts';
import { Patience } from '../engine/patience.ts';
import { unavailable } from '../errors.ts';
import { CACHE_CONTROL, hasAlready, IMMUTABLE } from '../http/write/answer.ts';
import { blockHead, nameBlockIn } from '../http/write/block-head.ts';
import type { Exchange } from '../http/write/exchange.ts';
import { escapeJson, wantsPretty } from '../http/write/json.ts';
import { type HeaderList, setHeaders } from '../http/write/ready-head.ts';
import { sendText } from '../http/write/row-stream.ts';
import { type ListTag, type ListTags, tagList } from './list-tags.ts';
import type { PagedRequest, Route, RouteRequest } from './route.ts';

interface ListOptions {
  readonly engine: Engine;
  readonly tags: ListTags;
  readonly feed: { readonly latest: { readonly height: bigint; readonly position: bigint } };
}

/** Answers with a list that may be too long to hold. It is known by a tag, so that a client need not read it again. */
export async function streamList(
  { operation, form }: Route,
  { variables, asOf, pages }: RouteRequest,
  exchange: Exchange,
  url: string,
  { engine, tags, feed }: ListOptions,
): Promise<void> {
  const { request, scope } = exchange;
  const response = exchange.response as Response;
  if (pages === undefined || form.kind !== 'rows') throw new TypeError('the route has no pages');
  const run = (variables: RouteRequest['variables'], at = asOf, waiting = scope) =>
    engine.run(engine.price(operation, variables, 'rest', { asOf: at }), waiting);
  const { first, ...tag } = await tagList(url, scope, (scopes) => run(variables, asOf, scopes), {
    tags,
    feed,
  });
  if (tag.asOf !== null) nameBlockIn(response, blockHead(tag.asOf, request));
  setHeaders(response, headersOf(tag, exchange));
  if (hasAlready(request, tag.etag)) return void response.writeHead(304).end();
  // All pages are of one block, whatever a time means meanwhile.
  let at = tag.asOf && { height: tag.asOf.height };
  // The first page is read before the answer begins, so that its failure is still a proper error.
  let page = pages.read(first ?? (await run(variables, at)));
  response.setHeader('Content-Type', 'application/json');
  if (request.method === 'HEAD') return void response.end();
  const patience = new Patience(scope);
  let block = tag.asOf;
  // One page is of one block as it is; before the first block there is none to ask as of.
  if (page.next !== null && at === null && feed.latest.position !== 0n) {
    at = { height: feed.latest.height };
    const again = await patience.ask(() => run(variables, at));
    block = again.asOf;
    if (block !== null) nameBlockIn(response, blockHead(block, request));
    page = pages.read(again);
  }
  const rest = walkPages(pages, page, async (after) => {
    const next = await patience.ask(() => run(pages.variablesAfter(after), at));
    // A block whose height has gone on is another one.
    if (next.asOf?.lastPosition !== block?.lastPosition) throw unavailable();
    return next;
  });
  await sendText(response, writeRows(form.field, rest, wantsPretty(url)));
}

/** What is said of a list before its rows: they are compressed as they come, and so in bytes that may differ. */
function headersOf({ etag, isFinal }: ListTag, { encoding }: Exchange): HeaderList {
  return [
    ...['Cache-Control', isFinal ? IMMUTABLE : CACHE_CONTROL],
    ...['ETag', isFinal && encoding === 'identity' ? etag : `W/${etag}`],
  ];
}

async function* walkPages(
  pages: PagedRequest,
  first: ReturnType<PagedRequest['read']>,
  run: (after: string) => Promise<Parameters<PagedRequest['read']>[0]>,
): AsyncGenerator<readonly unknown[]> {
  let page = first;
  yield page.rows;
  while (page.next !== null) {
    page = pages.read(await run(page.next));
    yield page.rows;
  }
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
