import { SCALARS_PAGE } from '../graphql/scalar-forms.ts';

/** The pages that show a document, and where it is. */
const PAGES = {
  '/docs': { name: 'REST', document: '/openapi.json' },
  '/docs/streams': { name: 'Streams', document: '/asyncapi.json' },
  '/docs/graphql': { name: 'GraphQL', document: '/schema.graphql' },
} as const;

export type PagePath = keyof typeof PAGES;

/** Where else there is something to read. */
const OTHERS = { GraphiQL: '/graphql', Scalars: SCALARS_PAGE } as const;

/** What the pages may load: what the gateway serves, and nothing from elsewhere, whatever the renderer would like. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
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
  return renderFrame(`${name} reference`, path, body, document);
}

/** What all pages have around what they show. */
export function renderFrame(title: string, path: string, body: string, document?: string): string {
  const pages = Object.entries(PAGES).map(([at, { name }]) => [name, at] as const);
  const links = [...pages, ...Object.entries(OTHERS)].map(
    ([name, at]) => `<a href="${at}"${at === path ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  const source = document === undefined ? '' : `<a class="source" href="${document}">${document}</a>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Periscope</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Reference"><a class="home" href="/">Periscope</a>${links.join('')}${source}</nav>
${body}
</body>
</html>
`;
}

/** Of what is ours alone: the renderer has a nav and a main of its own. */
const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#fff, #22242b); color: light-dark(#1a1c21, #e8e9ec); font: 16px/1.5 system-ui, sans-serif; }
body > nav a, main.text a { color: light-dark(#0b57d0, #9dbcff); }
body > nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 10px 20px; border-bottom: 1px solid #8886; font-size: 15px; }
body > nav a[aria-current] { font-weight: 600; text-decoration: none; }
body > nav .home { color: inherit; font-weight: 600; text-decoration: none; }
body > nav .source { margin-left: auto; }
main.text { max-width: 46em; margin: 0 auto; padding: 0 20px 40px; overflow-wrap: anywhere; }
`;

/** Shows the page's document with the renderer, which tells nobody that it did. */
export const STARTER = `import { init } from '/docs/renderer.js';
const place = document.getElementById('reference');
// What is looked at stands behind #, so that the same page comes when it is loaded again.
init(place.dataset.document, { disableTelemetry: true, router: 'hash' }, place);
`;
