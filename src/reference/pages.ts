import { SCALARS_PAGE } from '../graphql/scalar-forms.ts';
import { escapeHtml } from './html.ts';

/** The pages that show a document with the renderer, and where it is. */
const PAGES = {
  '/docs/streams': { name: 'Streams', document: '/asyncapi.json' },
  '/docs/graphql': { name: 'GraphQL', document: '/schema.graphql' },
} as const;

export type PagePath = keyof typeof PAGES;

/** What stands before them and behind them. */
const REST = ['REST', '/docs'] as const;
const OTHERS = { Scalars: SCALARS_PAGE, Guides: '/docs/guides', GraphiQL: '/graphql' } as const;

/** What the pages may load: what the gateway serves, and nothing from elsewhere, whatever the renderer would like. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = ['Content-Security-Policy', POLICY];

/** The page that shows a document. Without scripts it says where the document is. */
export function renderPage(path: PagePath): string {
  const { name, document } = PAGES[path];
  const body = `<div id="reference" data-document="${document}"><noscript><p>The document is at <a href="${document}">${document}</a>.</p></noscript></div>
<script type="module" src="/docs/start.js"></script>`;
  return renderFrame(`${name} reference`, path, body, {
    document,
    description: `${name} of this gateway: ${document} for people.`,
  });
}

interface Around {
  /** Where what is shown is as a document. */
  readonly document?: string | undefined;
  /** The page that it is a part of. */
  readonly isPartOf?: string;
  /** What search engines say of it. */
  readonly description: string;
}

/** What all pages have around what they show. */
export function renderFrame(
  title: string,
  path: string,
  body: string,
  { document, isPartOf, description }: Around,
): string {
  const pages = Object.entries(PAGES).map(([at, { name }]) => [name, at] as const);
  const links = [REST, ...pages, ...Object.entries(OTHERS)].map(
    ([name, at]) => `<a href="${at}"${currentIf(at, path, isPartOf)}>${name}</a>`,
  );
  const source = document === undefined ? '' : `<a class="source" href="${document}">${document}</a>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)} - Periscope</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Reference"><a class="home" href="/">Periscope</a>${links.join('')}${source}</nav>
${body}
</body>
</html>
`;
}

/** Says of a link that it leads to where one is, or to what that is a part of. */
function currentIf(at: string, path: string, whole: string | undefined): string {
  if (at === path) return ' aria-current="page"';
  return at === whole ? ' aria-current="true"' : '';
}

/** Shows the page's document with the renderer, which tells nobody that it did. */
export const STARTER = `import { init } from '/docs/renderer.js';
const place = document.getElementById('reference');
// What is looked at stands behind #, so that the same page comes when it is loaded again.
init(place.dataset.document, { disableTelemetry: true, router: 'hash' }, place);
`;
