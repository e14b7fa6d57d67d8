import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Response, Router } from 'express';
import { onlyMethods } from '../http/limits/methods.ts';
import { makeOnce } from '../http/pages/serve-once.ts';
import { Answer, hasAlready, IMMUTABLE } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { EXAMPLES } from './graphiql-examples.ts';
import { BAR, FIRST_STYLE, PLACE, STARTER, STYLE } from './graphiql-page.ts';

/** Where its scripts and styles are: each under a name that changes with it. */
const ASSETS = '/graphql/assets/';
const A_YEAR = ['Cache-Control', IMMUTABLE];
/** What a byte costs that is sent, in the unit of operations. */
const COST_OF_BYTE = 0.002;

/** GraphiQL, as browsers load it. */
interface Graphiql {
  readonly page: Answer;
  readonly assets: ReadonlyMap<string, Answer>;
}

/**
 * Serves GraphiQL to browsers, with its scripts, 9 MB of them, so that nothing is fetched from elsewhere. It is made when
 * it is first asked for. `charge` is told what a client is sent, and throws where that is more than it may have.
 */
export function serveGraphiql(
  writer: AnswerWriter,
  charge: (client: string, cost: number) => void | Promise<void>,
): Router {
  const find = makeOnce(makeGraphiql);
  const router = Router({ caseSensitive: true, strict: true });
  const send = async (response: Response, answer: Answer) => {
    const exchange = exchangeOf(response);
    if (!hasAlready(exchange.request, answer.etag))
      await charge(exchange.scope.client, COST_OF_BYTE * answer.bytes);
    await writer.send(exchange, answer);
  };
  router.all('/graphql', async (request, response, next) => {
    if (!asksForPage(request)) return next();
    await send(response, (await find()).page);
  });
  router.all(`${ASSETS}:name`, onlyMethods('GET'), async (request, response, next) => {
    const asset = (await find()).assets.get(String(request.params['name']));
    if (asset === undefined) next();
    else await send(response, asset);
  });
  return router;
}

async function makeGraphiql(): Promise<Graphiql> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const whole = renderGraphiQL({
    title: 'Periscope',
    defaultQuery: EXAMPLES[0]?.query ?? '',
    endpoint: '/graphql',
  });
  const assets = new Map<string, Answer>();
  const moveOut = (text: string, kind: 'css' | 'javascript') => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const name = `${hash}.${kind === 'css' ? 'css' : 'js'}`;
    assets.set(name, keptAnswer(`text/${kind}; charset=utf-8`, text, A_YEAR));
    return ASSETS + name;
  };
  const { page, scripts } = takeScripts(whole);
  const sheets: string[] = [];
  const html = placeIn(page)
    .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="/page/icon.svg" />')
    .replace(/<style>([\s\S]*?)<\/style>/g, (_, text) => {
      sheets.push(`<link rel="stylesheet" href="${moveOut(text, 'css')}" />`);
      return '';
    })
    // Nothing above waits for them.
    .replace(PLACE, () => `${PLACE}\n${sheets.join('\n')}`)
    .replace(EMPTY, () =>
      [STARTER, ...scripts]
        .map((text) => `<script src="${moveOut(text, 'javascript')}"></script>`)
        .join('\n'),
    );
  return { page: keptAnswer('text/html; charset=utf-8', html), assets };
}

const EMPTY = '<script></script>';
/** Its scripts are nine megabytes, and have one such call. */
const START = /YogaGraphiQL\.renderYogaGraphiQL(?=\(\s*window\.document\.querySelector)/;

/** A page with one empty script, and the texts of those that it had: each change of the page would copy them all. */
function takeScripts(whole: string): { readonly page: string; readonly scripts: readonly string[] } {
  const scripts: string[] = [];
  const page = whole.replace(/<script>([\s\S]*?)<\/script>/g, (_, text) => {
    scripts.push(text.replace(START, 'showGraphiql'));
    return scripts.length === 1 ? EMPTY : '';
  });
  if (!scripts.some((text) => text.includes('showGraphiql')))
    throw new Error(`the page of GraphiQL has no ${START}`);
  return { page, scripts };
}

/** GraphiQL's page with what is ours around it. Throws where a newer version of the package has another page. */
function placeIn(whole: string): string {
  const parts = [
    [
      /(?=<\/head>)/,
      `<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="description" content="GraphiQL: operations of this gateway to write, to explore and to run, with examples." />
<style id="first">${FIRST_STYLE}</style><style>${STYLE}</style>`,
    ],
    [/(?<=<body[^>]*>)/, BAR],
    [/<div id="root"><\/div>/, PLACE],
  ] as const;
  return parts.reduce((html, [place, text]) => {
    if (!place.test(html)) throw new Error(`the page of GraphiQL has no ${place}`);
    return html.replace(place, () => text);
  }, whole);
}

/** As bytes, which all who are being answered share. */
function keptAnswer(contentType: string, text: string, headers: readonly string[] = []): Answer {
  const answer = new Answer(contentType, text, headers);
  answer.keepForGood();
  return answer;
}

/** As browsers ask when somebody goes there. */
function asksForPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
}
