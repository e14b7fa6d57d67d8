// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { escapeHtml } from '../guides/escape-html.mjs';
import { EXAMPLES } from './examples.mjs';

/*
 * Makes GraphiQL ready to be served: the page of its package with a bar of ours above it, and its scripts and sheets, nine
 * megabytes, as files of their own. The name of each changes with it, so that browsers keep them for good.
 */

const SOURCES = 'graphiql';
const FOLDER = join('dist', 'graphiql');
/** Where its scripts and sheets are served. */
const ASSETS = '/graphql/assets/';
/** Its scripts have one such call, which is for `starter.js`. */
const START = /YogaGraphiQL\.renderYogaGraphiQL(?=\(\s*window\.document\.querySelector)/;

/** What stands above GraphiQL: operations to begin with, and where else there is something to read. */
const BAR = `<nav id="periscope" aria-label="Examples">
<a href="/">Periscope</a>
<h1>GraphiQL</h1>
<details><summary>Examples</summary><ul>
${EXAMPLES.map((one) => `<li><a href="${escapeHtml(addressOf(one))}">${one.name}</a></li>`).join('\n')}
</ul></details>
<a href="/docs/graphql">Reference</a>
<a href="/docs/guides">Guides</a>
</nav>`;

const FIRST_QUERY = EXAMPLES[0]?.query ?? '';
/** Where GraphiQL goes, and what stands there while its scripts are on their way: what it will show. */
const PLACE = `<main id="root"><pre>${escapeHtml(FIRST_QUERY)}</pre><p>The editor is loading…</p></main>`;

const HEAD = `<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="description" content="GraphiQL: operations of this gateway to write, to explore and to run, with examples." />
<style id="first">${read('first.css')}</style>
</head>`;

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

const whole = renderGraphiQL({ title: 'Periscope', defaultQuery: FIRST_QUERY, endpoint: '/graphql' });
const { page: withSheets, texts: scripts } = takeOut(whole, /<script>([\s\S]*?)<\/script>/g);
const { page, texts: sheets } = takeOut(withSheets, /<style>([\s\S]*?)<\/style>/g);
if (!scripts.some((text) => START.test(text))) throw new Error(`The page of GraphiQL has no ${START}.`);
const links = [...sheets, read('style.css')].map(
  (text) => `<link rel="stylesheet" href="${write(text, 'css')}" />`,
);
// Nothing above waits for them.
const calls = [read('starter.js'), ...scripts.map((text) => text.replace(START, 'showGraphiql'))].map(
  (text) => `<script src="${write(text, 'js')}"></script>`,
);
const parts = /** @type {const} */ ([
  [/<link rel="icon"[^>]*>/, '<link rel="icon" href="/page/icon.svg" />'],
  [/<\/head>/, HEAD],
  [/(?<=<body[^>]*>)/, BAR],
  [/<div id="root"><\/div>/, [PLACE, ...links, ...calls].join('\n')],
]);
writeFileSync(
  join(FOLDER, 'index.html'),
  parts.reduce((html, [place, text]) => replace(html, place, text), page),
);

/**
 * Where an operation opens in GraphiQL, as others link to it.
 *
 * @param {(typeof EXAMPLES)[number]} example
 */
function addressOf({ query, variables }) {
  const given = variables === undefined ? {} : { variables: JSON.stringify(variables, null, 2) };
  return `/graphql?${new URLSearchParams({ query, ...given })}`;
}

/** @param {string} name */
function read(name) {
  return readFileSync(join(SOURCES, name), 'utf8');
}

/**
 * A page without some of its elements, and their texts.
 *
 * @param {string} html
 * @param {RegExp} element
 */
function takeOut(html, element) {
  const texts = Array.from(html.matchAll(element), ([, text = '']) => text);
  return { page: html.replace(element, ''), texts };
}

/**
 * Writes a file, and gives where it is served.
 *
 * @param {string} text
 * @param {'css' | 'js'} kind
 */
function write(text, kind) {
  const name = `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${kind}`;
  writeFileSync(join(FOLDER, name), text);
  return ASSETS + name;
}

/**
 * Throws where a newer version of the package has another page.
 *
 * @param {string} html
 * @param {RegExp} place
 * @param {string} text
 */
function replace(html, place, text) {
  if (!place.test(html)) throw new Error(`The page of GraphiQL has no ${place}.`);
  return html.replace(place, () => text);
}
