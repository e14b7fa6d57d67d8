import type { Command } from 'commander';
import { createLogger } from '../log.ts';
import { VERSION } from '../reference/about.ts';
import { RUNS_UNTIL_STOPPED } from './ending.ts';
import { explain, type Run } from './run.ts';

/** One of several processes that serve. Signals are for the primary: the first is not heeded here, the second ends it. */
export function addWorker(program: Command, run: Run): void {
  program.command('worker', { hidden: true }).action(() =>
    run(async ({ config }) => {
      const { runWorker, startGateway, createMetrics } = await loadWorker();
      using own = createMetrics(VERSION);
      // The primary has the port for metrics.
      const metrics = { ...own, url: null, include() {}, [Symbol.asyncDispose]: async () => {} };
      await runWorker({
        config,
        logger: createLogger(config.log.level),
        start: (serving) => startGateway({ ...serving, metrics }),
        explain,
      });
    }, RUNS_UNTIL_STOPPED),
  );
}

/** Not within the command, where TypeScript 6 would leave the paths as they are: that has `using`. */
async function loadWorker() {
  const [{ runWorker }, { createMetrics }, { startGateway }] = await Promise.all([
    import('../cluster/worker.ts'),
    import('../metrics/metrics.ts'),
    import('../server.ts'),
  ]);
  return { runWorker, createMetrics, startGateway };
}
