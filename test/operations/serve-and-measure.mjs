// Serves a database through the compiled program, and says how much of its heap is in use:
//   fork('serve-and-measure.mjs', [DIST, URL], { execArgv: ['--expose-gc'] })
// Sends its address first, then, for each message, the bytes that are left when all garbage is collected.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';

const [dist, databaseUrl] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(`${dist}/${module}`).href);

const [{ readConfig }, { startGateway }] = await Promise.all([load('config.js'), load('server.js')]);
const gateway = await startGateway({
  config: readConfig({ PORT: '0' }),
  databaseUrl,
  logger: pino({ level: 'silent' }),
});
process.on('message', async () => {
  // What a request leaves to be done later is done between the two, and collected.
  globalThis.gc();
  await sleep(50);
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.send(gateway.url);
await once(process, 'disconnect');
await gateway.close();
