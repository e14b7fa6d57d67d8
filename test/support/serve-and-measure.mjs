// Serves a database through the compiled program, and says what it holds (`measured-gateway.ts`):
//   fork('serve-and-measure.mjs', [DIST, URL, SETTINGS], { execArgv: ['--expose-gc'] })
// Sends its address first, then, for each message, what is left when all garbage is collected; for 'all', how many
// objects of which kind, too.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { queryObjects } from 'node:v8';
import { pino } from 'pino';

const [dist, databaseUrl, settings] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(`${dist}/${module}`).href);

const warnings = [];
process.on('warning', ({ name, message }) => {
  // `queryObjects` is still an experiment of Node's.
  if (name !== 'ExperimentalWarning') warnings.push(`${name}: ${message}`);
});

const [{ readConfig }, { startGateway }] = await Promise.all([load('config.js'), load('server.js')]);
const gateway = await startGateway({
  config: readConfig({ PORT: '0', ...JSON.parse(settings ?? '{}') }),
  databaseUrl,
  logger: pino({ level: 'silent' }),
});

const KINDS = {
  functions: Function,
  generators: kindOf((async function* () {})()),
  promises: Promise,
  sockets: Socket,
  timers: setTimeout(() => {}).constructor,
  signals: AbortSignal,
};

/** `queryObjects` asks for a constructor, and generators have none. */
function kindOf(object) {
  const kind = () => {};
  kind.prototype = Object.getPrototypeOf(Object.getPrototypeOf(object));
  return kind;
}

process.on('message', async (what) => {
  // What a request leaves to be done later is done between the two, and collected.
  globalThis.gc();
  await sleep(50);
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({
    heapUsed,
    rss,
    openStreams: gateway.openStreams,
    handles: Object.fromEntries(countBy(process.getActiveResourcesInfo())),
    objects: what === 'all' ? countObjects() : {},
    warnings,
  });
});
process.send(gateway.url);
await once(process, 'disconnect');
await gateway.close();

/** Walks the whole heap for each kind. */
function countObjects() {
  const counts = Object.entries(KINDS).map(([name, kind]) => [name, queryObjects(kind, { format: 'count' })]);
  return Object.fromEntries(counts);
}

function countBy(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
