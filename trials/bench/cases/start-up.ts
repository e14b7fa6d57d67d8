import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultDataDir } from '../../../src/data/embedded/postgres.ts';
import type { BenchCase, Result } from '../bench.ts';
import { median, spreadOf } from '../measure/figures.ts';
import { startPeriscope } from '../servers/start-server.ts';

export const startUp: BenchCase = {
  name: 'start-up',
  title: 'from the start of the process until it is ready',
  async run(bench) {
    const dataDir = join(dirname(defaultDataDir()), 'bench-start');
    const first: number[] = [];
    const again: number[] = [];
    try {
      for (let time = 0; time < bench.size.starts; time += 1) {
        rmSync(dataDir, { recursive: true, force: true });
        first.push(await measureStart(dataDir, 'demo'));
        again.push(await measureStart(dataDir, 'serve'));
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
    return [
      resultOf('again', 'with its database there, PostgreSQL stopped', again, 1.2),
      resultOf('demo', 'the demo, with nothing there (npm ci apart)', first, 5),
    ];
  },
};

/** Seconds until it is ready; it is stopped then, and its PostgreSQL with it. */
async function measureStart(dataDir: string, command: string): Promise<number> {
  const start = performance.now();
  await using _server = await startPeriscope({ DATA_DIR: dataDir }, { command });
  return (performance.now() - start) / 1000;
}

function resultOf(name: string, what: string, seconds: readonly number[], most: number): Result {
  return {
    id: `start-up/${name}`,
    what: `ready after start: ${what}`,
    figure: `${median(seconds).toFixed(2)} s`,
    beside: '',
    value: median(seconds),
    unit: 's',
    target: { most },
    cpuUs: null,
    peerCpuUs: null,
    spread: spreadOf(seconds),
    note: seconds.length === 1 ? 'one start' : `the median of ${seconds.length}`,
  };
}
