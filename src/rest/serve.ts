import { type Request, Router } from 'express';
import type { Engine } from '../engine/engine.ts';
import type { Question } from '../engine/question.ts';
import { reply, replyKept } from '../engine/reply.ts';
import { Rejection } from '../errors.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { preferencesOf } from '../http/preferences.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { blockHead, createBlockNamer, type NamedBlock, nameBlockIn } from '../http/write/block-head.ts';
import { type Exchange, exchangeOf } from '../http/write/exchange.ts';
import { toReferenceForm } from '../http/write/json.ts';
import { NO_HEADERS, type ReadyHeaders, readyHeaders, setHeaders } from '../http/write/ready-head.ts';
import { chooseFormat, type ExportOptions, mayAskForExport, sendExport } from './export.ts';
import { checkExport } from './export-parameters.ts';
import { findIgnoredParameters, type IgnoredParameters } from './ignored-parameters.ts';
import type { ListTags } from './list-tags.ts';
import { createPathMatcher } from './match.ts';
import { queryOf } from './query-string.ts';
import type { Route } from './route.ts';
import { streamList } from './whole-list.ts';

export interface RestOptions extends Pick<ExportOptions, 'columnsOf'> {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly tags: ListTags;
  /**
   * Its latest block is the newest that this process knows of; the database is never behind it. The position is the same of
   * all gateways that have come as far.
   */
  readonly feed: { readonly latest: NamedBlock & { readonly position: bigint } };
}

/** The documented paths, each a GraphQL operation that the engine answers. */
export interface Rest {
  /** Answers a GET of a path whose body is made at once; false where the address is of none. */
  answer(exchange: Exchange): boolean;
  /** Answers every documented path, within the application. */
  readonly router: Router;
}

type PathValues = Readonly<Record<string, unknown>>;

/** Answers what nothing kept answers. The block was read before: the body can then be newer than the headers say, never older. */
type AnswerAnew = (exchange: Exchange, path: PathValues, block: ReadyHeaders) => void;

export function serveRest(routes: readonly Route[], options: RestOptions): Rest {
  const { writer, feed } = options;
  const nameBlock = createBlockNamer(feed);
  const router = Router({ caseSensitive: true, strict: true });
  /** Sends the answer that is kept under an address; false where none is. */
  const answerKept = (exchange: Exchange, block: ReadyHeaders): boolean =>
    preferencesOf(exchange.request) === '' && replyKept(options, exchange, urlOf(exchange), block);
  const whole: { readonly path: string; readonly answer: AnswerAnew }[] = [];
  for (const route of routes) {
    const ignored = findIgnoredParameters(route.parameters);
    /** Answers with rows page after page; false where the documented answer is wanted, which is made at once. */
    const answerInPages = async (request: Request, exchange: Exchange): Promise<boolean> => {
      const isWhole = route.form.kind === 'rows';
      if (!isWhole && !mayAskForExport(exchange)) return false;
      const url = urlOf(exchange);
      setHeaders(exchange.response, [...nameBlock(request).list, ...ignored.name(request, queryOf(url))]);
      ignored.refuse(request, queryOf(url));
      const asked = route.read(request.params, queryOf(url));
      const format = chooseFormat(asked, request);
      if (asked.pages === undefined || (format === 'json' && !isWhole)) return false;
      if (format === 'json') await streamList(route, asked, exchange, url, options);
      else await sendExport(route, asked, format, exchange, options);
      return true;
    };
    const answer: AnswerAnew = (exchange, path, block) => {
      const url = urlOf(exchange);
      const question = questionOf(route, path, url, exchange, ignored);
      const headOf = (error: unknown) =>
        readyHeaders([
          ...(headOfFailed(error) ?? block).list,
          ...ignored.name(exchange.request, queryOf(url)),
        ]);
      reply(options, exchange, question, block, (error) =>
        // Nothing is looked at of a request that is turned away.
        writer.fail(exchange, error, error instanceof Rejection ? block : headOf(error)),
      );
    };
    if (route.form.kind !== 'rows') whole.push({ path: route.path, answer });
    router.all(route.path, onlyMethods(route.method), async (request, response) => {
      const exchange = exchangeOf(response);
      if (await answerInPages(request, exchange)) return;
      // The answer brings the name of its own block.
      nameBlockIn(response, NO_HEADERS);
      const block = nameBlock(request);
      if (!answerKept(exchange, block)) answer(exchange, request.params, block);
    });
  }
  const match = createPathMatcher(whole);
  return {
    router,
    answer(exchange) {
      const { url = '' } = exchange.request;
      if (mayAskForExport(exchange)) return false;
      // Before its path is found: only an answer to a documented path is kept under an address.
      const block = nameBlock(exchange.request);
      if (answerKept(exchange, block)) return true;
      const found = match(url);
      if (found === null) return false;
      found.one.answer(exchange, found.values, block);
      return true;
    },
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
    key: `${preferencesOf({ headers })}${url}`,
    scope,
    bytes: url.length,
    read(engine) {
      ignored.refuse({ headers }, queryOf(url));
      request = route.read(path, queryOf(url));
      if (request.pages !== undefined) checkExport(request.pages.export, 'json');
      return engine.price(route.operation, request.variables, 'rest', request);
    },
    write(outcome) {
      const head = outcome.asOf && blockHead(outcome.asOf, { headers });
      try {
        const body = toReferenceForm(request.toJson(outcome), url);
        const { isFinal } = outcome;
        return new Answer('application/json', body, ignored.name({ headers }, queryOf(url)), {
          isFinal,
          head,
        });
      } catch (error) {
        if (head !== null) headsOfFailed.set(error as Error, head);
        throw error;
      }
    },
  };
}

/** What is missing as of a block, or fails there, names that block too. */
const headsOfFailed = new WeakMap<Error, ReadyHeaders>();

function headOfFailed(error: unknown): ReadyHeaders | undefined {
  return error instanceof Error ? headsOfFailed.get(error) : undefined;
}

/** The address as it was sent, which Express cuts for routers. */
function urlOf({ request }: Exchange): string {
  const { url = '', originalUrl = url } = request as { url?: string; originalUrl?: string };
  return originalUrl;
}
