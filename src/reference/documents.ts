import { SCALAR_FORMS, SCALARS_PAGE, type ScalarForm } from '../graphql/scalar-forms.ts';
import { printSdl } from '../graphql/sdl.ts';
import { STRICT_HEADERS } from '../http/home.ts';
import { Answer } from '../http/write/answer.ts';
import { describeStreams } from './asyncapi.ts';
import { renderGraphql } from './graphql-page.ts';
import { findGuides, type Guide, readBuilt, withOrigin } from './guide-index.ts';
import { renderGuide, renderGuideList } from './guide-pages.ts';
import { asHtml, escapeHtml, renderText } from './html.ts';
import { describeRest } from './openapi.ts';
import { renderFrame } from './pages.ts';
import { renderRest } from './rest-page.ts';
import { renderStreams } from './streams-page.ts';

export function openapi(): Answer {
  return new Answer('application/json', JSON.stringify(describeRest()));
}

export function asyncapi(): Answer {
  return new Answer('application/json', JSON.stringify(describeStreams()));
}

export function sdl(): Answer {
  return new Answer('text/plain; charset=utf-8', printSdl());
}

export function restPage(): Answer {
  return page(renderRest());
}

export function streamsPage(): Answer {
  return page(renderStreams());
}

export function graphqlPage(): Answer {
  return page(renderGraphql());
}

export function scalarsPage(): Answer {
  return page(renderScalars());
}

/** Never at hand while it is asked for: Chromium takes the 304 to that for a sheet without a type, and says so. */
const ASKED_FIRST = ['Cache-Control', 'public, max-age=0, s-maxage=1'];

export async function style(): Promise<Answer> {
  return new Answer('text/css; charset=utf-8', await readBuilt('style.css'), ASKED_FIRST);
}

/** The page of a guide, whose examples have an origin; and the list of all. */
export async function guidePage(guide: Guide, origin: string | null): Promise<Answer> {
  const html = withOrigin(await readBuilt(`${guide.name}.html`), origin && escapeHtml(origin));
  return page(renderGuide(await findGuides(), guide, html));
}

export async function guideList(): Promise<Answer> {
  return page(renderGuideList(await findGuides()));
}

/** What searches the guides, and the index that it does so by. */
export async function searchScript(): Promise<Answer> {
  return new Answer('text/javascript; charset=utf-8', await readBuilt('search.js'));
}

export async function searchIndex(): Promise<Answer> {
  return new Answer('application/json', await readBuilt('search.json'));
}

function page(html: string): Answer {
  return new Answer('text/html; charset=utf-8', html, STRICT_HEADERS);
}

/** The page that specifies each scalar of GraphQL: what `@specifiedBy` names. */
export function renderScalars(): string {
  const sections = Object.entries<ScalarForm>(SCALAR_FORMS).map(renderScalar);
  const body = `<main class="text"><h1>Scalars</h1>\n<p>${asHtml(ALL)}</p>\n${sections.join('\n')}\n</main>`;
  const description = 'How each scalar of GraphQL is written, and what an argument of it takes.';
  return renderFrame('Scalars', SCALARS_PAGE, body, { description });
}

const ALL = `Each travels as a JSON string. Where a scalar is a number, an argument takes a JSON number too if it is exact: any literal of
a document, and in the JSON of variables an integer between -(2^53 - 1) and 2^53 - 1. What a scalar does not take is refused with
\`INVALID_ARGUMENT\`, and the argument and the value are named.`;

function renderScalar([name, { description, written, accepts, examples }]: [string, ScalarForm]): string {
  const shown = examples.map((example) => `<code>"${escapeHtml(example)}"</code>`).join(', ');
  return `<section id="${name}"><h2>${name}</h2>
${renderText(description)}
<p>An answer has text that matches <code>${escapeHtml(written.source)}</code>, as in ${shown}.
An argument takes ${asHtml(accepts)}.</p></section>`;
}
