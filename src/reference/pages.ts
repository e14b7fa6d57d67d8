import { SCALARS_PAGE } from '../graphql/scalar-forms.ts';
import { escapeHtml, renderText } from './html.ts';

/** The pages that all pages lead to. */
const PAGES = {
  REST: '/docs',
  Streams: '/docs/streams',
  GraphQL: '/docs/graphql',
  Scalars: SCALARS_PAGE,
  Guides: '/docs/guides',
  GraphiQL: '/graphql',
} as const;

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
  const links = Object.entries(PAGES).map(
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

interface Reference {
  readonly title: string;
  readonly path: string;
  /** Where programs read the same. */
  readonly document: string;
  /** In a sentence, and then at length. */
  readonly summary: string;
  readonly description: string;
  /** What it is the reference of, as HTML. */
  readonly content: string;
  /** All of it, as links, beside the rest. */
  readonly all: { readonly name: string; readonly groups: readonly LinkGroup[] };
}

/** Links under a heading. */
export interface LinkGroup {
  readonly name: string;
  readonly anchor: string;
  /** The anchor of each, and its name as HTML. */
  readonly links: readonly (readonly [anchor: string, html: string])[];
}

/** A page that is there at once, without a script: all of a document, and links to its parts beside it. */
export function renderReference({
  title,
  path,
  document,
  summary,
  description,
  content,
  all,
}: Reference): string {
  const body = `<div class="guides reference">
<main class="text"><article>
<h1>${title}</h1>
<a class="to-all" href="#all">All ${all.name.toLowerCase()}</a>
<p>${summary}</p>
${renderText(description)}
${content}
</article></main>
<nav id="all" aria-label="${all.name}">
${all.groups.map(renderLinks).join('\n')}
</nav>
</div>`;
  return renderFrame(title, path, body, { document, description: summary });
}

function renderLinks({ name, anchor, links }: LinkGroup): string {
  const items = links.map(([at, html]) => `<li><a href="#${at}">${html}</a></li>`);
  return `<h2><a href="#${anchor}">${name}</a></h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
