import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Router } from 'express';
import { onlyMethods } from './limits/methods.ts';
import { makeOnce, serveOnce } from './pages/serve-once.ts';
import { Answer } from './write/answer.ts';
import type { AnswerWriter } from './write/answer-writer.ts';

/** What the page is made of, once it is built. The sources are in src/page; compiled or not, this file is as deep. */
const FOLDER = new URL('../../dist/page/', import.meta.url);

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** What the page has an address for besides `/`: it reads them itself. */
const PLACES = ['market', 'party', 'asset', 'deposit', 'proposal', 'block', 'epoch'].map(
  (kind) => `/${kind}/{id}`,
);

/** What the page loads, and later the plots of its own build. */
const BESIDE = ['main.js', 'icon.svg'];
const PLOTS = 'plots/{build}';

/** What is served here. */
export const HOME_PATHS = ['/', ...[...BESIDE, PLOTS].map((name) => `/page/${name}`), ...PLACES];

/** A page runs its own scripts, connects to where it came from, and nothing else. */
export const STRICT_HEADERS = strictHeaders("style-src 'self'");

/**
 * Serves `/`: the page to browsers, and to everybody else where the interfaces are, as JSON. The page asks operations of its own, and
 * would show nothing but refusals where only those of a list are taken: there it is not served.
 */
export function createHome(
  { links, hasPage }: { readonly links: Readonly<Record<string, unknown>>; readonly hasPage: boolean },
  writer: AnswerWriter,
): Router {
  const servePage = serveFile('index.html', writer);
  const serveLinks = serveOnce(
    writer,
    async () => new Answer('application/json', `${JSON.stringify(links, null, 1)}\n`),
  );
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/', onlyMethods('GET'), (request, response) => {
    const serve = hasPage && request.headers.accept?.includes('text/html') ? servePage : serveLinks;
    return serve(request, response);
  });
  if (!hasPage) return router;
  for (const path of PLACES) router.all(path.replace('{id}', ':id'), onlyMethods('GET'), servePage);
  for (const name of BESIDE) router.all(`/page/${name}`, onlyMethods('GET'), serveFile(name, writer));
  const findPlots = makeOnce(async () => {
    const files = await readdir(new URL('plots/', FOLDER));
    return new Map(files.map((file) => [file, serveFile(`plots/${file}`, writer)]));
  });
  router.all('/page/plots/:build', onlyMethods('GET'), async (request, response, next) => {
    const serve = (await findPlots()).get(String(request.params['build']));
    return serve === undefined ? next() : serve(request, response);
  });
  return router;
}

function serveFile(name: string, writer: AnswerWriter): ReturnType<typeof serveOnce> {
  return serveOnce(writer, async () => {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];
    return new Answer(type, text, name === 'index.html' ? strictHeaders(namedStyle(text)) : []);
  });
}

function strictHeaders(style: string): readonly string[] {
  return [
    'Content-Security-Policy',
    `default-src 'none'; script-src 'self'; ${style}; img-src 'self'; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ];
}

/** The page has its style within, so that it is painted when it comes: that style by its hash, and no other. */
function namedStyle(html: string): string {
  const [, style] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
  if (style === undefined) throw new Error('the page has no style: build it anew');
  return `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}
