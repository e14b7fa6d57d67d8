// @ts-check
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { rolldown } from 'rolldown';
import { readGuide } from './markdown.mjs';
import { SEARCH_OPTIONS } from './search-options.mjs';

/*
 * Makes the guides of docs/ ready to be served: each as HTML, what their list says of them, the index that is searched, and
 * what browsers load beside them.
 */

const SOURCES = 'docs';
const FOLDER = join('dist', 'guides');

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

const names = readdirSync(SOURCES).flatMap((file) => /^(.*)\.md$/.exec(file)?.[1] ?? []);
const guides = names.map((name) => readGuide(name, readFileSync(join(SOURCES, `${name}.md`), 'utf8')));
for (const { name, html } of guides) writeFileSync(join(FOLDER, `${name}.html`), html);
writeFileSync(join(FOLDER, 'index.json'), JSON.stringify(makeIndex()));
writeFileSync(join(FOLDER, 'search.json'), JSON.stringify(makeSearch()));
copyFileSync(join('guides', 'style.css'), join(FOLDER, 'style.css'));
await bundleScript();

/** What is known of the guides without reading them, in the order of the README. */
function makeIndex() {
  return {
    groups: readGroups(readFileSync('README.md', 'utf8')),
    guides: guides.map(({ html: _, sections: __, ...known }) => known),
  };
}

/**
 * The README's table says for whom each guide is; the first row that names one counts, and its last has the others.
 *
 * @param {string} readme
 */
function readGroups(readme) {
  const seen = new Set();
  const groups = readme.split('\n').flatMap((line) => {
    const [, title, cell] = /^\| (those who [^|]+) \| (.*) \|$/.exec(line) ?? [];
    if (title === undefined || cell === undefined) return [];
    const linked = [...cell.matchAll(/\]\(docs\/([\w-]+)\.md/g)].map(([, name]) => name);
    const ofGroup = linked.filter((name) => !seen.has(name) && seen.add(name));
    return [{ title: `For ${title}`, guides: ofGroup }];
  });
  groups.at(-1)?.guides.push(...names.filter((name) => !seen.has(name)));
  return groups;
}

function makeSearch() {
  const search = new MiniSearch(SEARCH_OPTIONS);
  search.addAll(guides.flatMap(({ sections }) => sections).map((section, id) => ({ id, ...section })));
  return search;
}

async function bundleScript() {
  const bundle = await rolldown({
    input: { search: join('guides', 'search.ts') },
    platform: 'browser',
    tsconfig: join('guides', 'tsconfig.json'),
    // It warns of what took long, too: a busy machine is no fault.
    checks: { bundlerTimings: false },
    onLog(level, log, handle) {
      // What cannot be found would be noticed only in a browser.
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
  });
  await bundle.write({ dir: FOLDER, format: 'esm', minify: true });
  await bundle.close();
}
