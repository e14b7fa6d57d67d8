// @ts-check
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/*
 * Puts the page at `/` together: its script and the packages that it uses in one file, the plots, which are loaded when they
 * are shown, in another, the sheets within the document, and what is served as it is beside them.
 */

const SOURCES = 'page';
const FOLDER = join('dist', 'page');

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const bundle = await rolldown({
  input: { main: join(SOURCES, 'main.tsx') },
  platform: 'browser',
  tsconfig: join(SOURCES, 'tsconfig.json'),
  // It warns of what took long, too: a busy machine is no fault.
  checks: { bundlerTimings: false },
  onLog(level, log, handle) {
    // What cannot be found would be noticed only in a browser.
    if (level === 'warn') throw new Error(log.message);
    handle(level, log);
  },
});
const form = /** @type {const} */ ({ format: 'esm', minify: true });
// The plots take what they need of the main script by names that every build gives anew: a page of before finds none of another build.
const { output } = await bundle.generate(form);
const scripts = output.map((one) => (one.type === 'chunk' ? one.code : ''));
const version = createHash('sha256').update(scripts.join('\n')).digest('hex').slice(0, 16);
await bundle.write({ ...form, dir: FOLDER, chunkFileNames: `[name]/${version}.js` });
await bundle.close();
const [style, plots, html] = await Promise.all(
  ['style.css', join('plots', 'plots.css'), 'index.html'].map((name) =>
    readFile(join(SOURCES, name), 'utf8'),
  ),
);
// Within the page the style is there with it: another request would keep the reader waiting for the first paint.
const whole = html?.replace('<style></style>', () => `<style>${style}${plots}</style>`);
if (whole === undefined || whole === html) throw new Error('index.html has no place for the style.');
await writeFile(join(FOLDER, 'index.html'), whole);
await copyFile(join(SOURCES, 'icon.svg'), join(FOLDER, 'icon.svg'));
