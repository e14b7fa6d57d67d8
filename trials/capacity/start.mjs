// @ts-check
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { launch } from '../bench/launch.mjs';

/*
 * npm run capacity: writes docs/capacity.md from what is measured; with --stale it says whether that is to be done; with --check it holds
 * the model to a run of this machine.
 */

const fileOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const args = process.argv.slice(2);

if (args.includes('--check')) launch(fileOf('check/run.ts'), args);
else await write();

/** What writes the page is TypeScript that needs no package, so that any Node runs it once it is put together. */
async function write() {
  const bundle = await rolldown({ input: fileOf('write.ts'), platform: 'node', external: /^node:/ });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
