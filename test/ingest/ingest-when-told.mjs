// Ingests a simulated network into a database, through the modules of the compiled program:
//   fork('ingest-when-told.mjs', [DIST, URL, OPTIONS])
// Says `ready` once all is loaded, and begins at the first message, so that a test can kill it within its work.
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

const [dist, databaseUrl, options] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(`${dist}/${module}`).href);

const [{ runIngest }, { openSimulation }] = await Promise.all([
  load('ingest/run.js'),
  load('simulation/simulate.js'),
]);
process.send('ready');
await once(process, 'message');
const { signal } = new AbortController();
const source = openSimulation(JSON.parse(options));
await runIngest({ source, databaseUrl, pace: 'max', signal, output: process.stderr });
process.disconnect();
