import { Command } from 'commander';
import { cases } from './cases/index.ts';
import type { Result } from './bench.ts';
import { printTable } from './report/table.ts';
import { FULL, QUICK } from './size.ts';
import { startBench } from './start-bench.ts';

interface Options {
  readonly quick?: true;
  readonly only?: readonly string[];
}

const stop = new AbortController();
const names = cases.map(({ name }) => name).join(', ');
const program = new Command('npm run bench --')
  .description('Measures Periscope beside its peers. Fails for a wrong answer or a run that fails, never for a time.')
  .option('--quick', 'less data and fewer rounds: two minutes, and coarser figures')
  .option('--only <case...>', `only these cases: ${names}`)
  .action(run);
await program.parseAsync();

async function run({ quick, only }: Options): Promise<void> {
  const wanted = cases.filter(({ name }) => only === undefined || only.includes(name));
  const unknown = (only ?? []).filter((name) => !cases.some((known) => known.name === name));
  if (unknown.length > 0) throw new Error(`No such case: ${unknown.join(', ')}. There are ${names}.`);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  await using bench = await startBench(quick ? QUICK : FULL, say, stop.signal);
  const results: Result[] = [];
  for (const measuredCase of wanted) {
    const start = performance.now();
    results.push(...(await measuredCase.run(bench)));
    say(`${measuredCase.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  process.stdout.write(`${printTable(results)}\n`);
}
