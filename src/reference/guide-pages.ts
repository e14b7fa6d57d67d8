import { GUIDES_PAGE, type Guide, type GuideIndex } from './guide-index.ts';
import { escapeHtml } from './html.ts';
import { renderFrame } from './pages.ts';

/** The page of a guide, beside all others. */
export function renderGuide(index: GuideIndex, guide: Guide, html: string): string {
  const source = `/docs/${guide.name}.md`;
  return renderBeside(index, guide, `<article>\n${html}</article>`, source);
}

/** The page that lists them, with what each has. */
export function renderGuideList(index: GuideIndex): string {
  const groups = index.groups.map(({ title, guides }) => {
    const items = ofNames(index, guides).map(
      ({ address, title: name, parts }) =>
        `<li><a href="${address}">${escapeHtml(name)}</a>${parts.length === 0 ? '' : `<small>${parts.map(({ text }) => escapeHtml(text)).join(' · ')}</small>`}</li>`,
    );
    return `<h2>${escapeHtml(title)}</h2>\n<ul class="list">\n${items.join('\n')}\n</ul>`;
  });
  const about = `<p>How this gateway is asked, followed, run and worked on. What each path and field is stands in the
<a href="/docs">reference</a>. The examples have the address by which you came here.</p>`;
  return renderBeside(index, null, `<article>\n<h1>Guides</h1>\n${about}\n${groups.join('\n')}\n</article>`);
}

/** What is read, the search over all guides before it, and their list beside it: behind it where there is no room. */
function renderBeside(index: GuideIndex, shown: Guide | null, article: string, source?: string): string {
  const body = `<div class="guides">
<search>
<form role="search" hidden><label for="ask">Search the guides</label>
<input id="ask" type="search" autocomplete="off" spellcheck="false" placeholder="/ to search"></form>
<p id="found-state" role="status"></p>
<ul id="found"></ul>
<a class="to-all" href="#all">All guides</a>
</search>
<main class="text">${article}</main>
<nav id="all" aria-label="Guides">
${index.groups.map((group) => renderGroup(index, group, shown)).join('\n')}
</nav>
</div>
<script type="module" src="/docs/search.js"></script>`;
  const place = shown === null ? GUIDES_PAGE : shown.address;
  return renderFrame(shown?.title ?? 'Guides', place, body, {
    document: source,
    isPartOf: GUIDES_PAGE,
    description: describe(shown),
  });
}

function describe(shown: Guide | null): string {
  if (shown === null) return 'How this gateway is asked, followed, run and worked on.';
  return `${[shown.title, ...shown.parts.map(({ text }) => text)].join('. ')}.`;
}

function renderGroup(
  index: GuideIndex,
  { title, guides }: GuideIndex['groups'][number],
  shown: Guide | null,
): string {
  const items = ofNames(index, guides).map((guide) => renderItem(guide, guide.name === shown?.name));
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

/** The guide that is shown has its parts below it. */
function renderItem({ address, title, parts }: Guide, isShown: boolean): string {
  const link = `<a href="${address}"${isShown ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
  if (!isShown || parts.length === 0) return `<li>${link}</li>`;
  const inner = parts.map(({ text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<li>${link}\n<ul>\n${inner.join('\n')}\n</ul></li>`;
}

function ofNames({ guides }: GuideIndex, names: readonly string[]): readonly Guide[] {
  return names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []);
}
