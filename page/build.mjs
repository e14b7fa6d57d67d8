// @ts-check
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/*
 * Puts the page at `/` together: its script and the packages that it uses in one file, and what is served as it is beside
 * it.
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
await bundle.write({ dir: FOLDER, format: 'esm', minify: true });
await bundle.close();
for (const name of ['index.html', 'style.css', 'icon.svg'])
  await copyFile(join(SOURCES, name), join(FOLDER, name));
