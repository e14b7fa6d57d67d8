import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Command } from 'commander';
import { COSTS, costsOf, writeCosts } from '../capacity/costs.ts';
import type { Bench, BenchCase, Result } from './bench.ts';
import { cases } from './cases/index.ts';
import { compareRuns, describeChanges } from './report/against.ts';
import { writeReadme } from './report/readme.ts';
import {
  defaultFile,
  describeRun,
  putInto,
  type Results,
  readResults,
  writeResults,
} from './report/results.ts';
import { printTable } from './report/table.ts';
import { stopServers } from './servers/start-server.ts';
import { FULL, QUICK } from './size.ts';
import { startBench } from './start-bench.ts';

/** A load average that leaves too little for a bench on two cores. */
const BUSY = 1;

interface Options {
  readonly quick?: true;
  readonly only?: readonly string[];
  readonly out?: string;
  readonly into?: string;
  readonly from?: string;
  readonly against?: string;
  readonly before?: string;
  readonly readme?: true;
  readonly capacity?: true;
}

const names = cases.map(({ name }) => name).join(', ');
const program = new Command('npm run bench --')
  .description(
    'Measures Periscope beside its peers. Fails for a wrong answer and for a run that fails, never for a time.',
  )
  .option('--quick', 'less data and fewer rounds: some five minutes, and coarser figures')
  .option('--only <case...>', `only these cases: ${names}`)
  .option(
    '--out <file>',
    'where to write the results; unless said, trials/bench/results, and nowhere with --only',
  )
  .option('--into <file>', 'put what --only measures into the run of this file, which then says so')
  .option('--from <file>', 'measure nothing: take the results of this file')
  .option('--against <file>', 'say what became slower or faster since the run of this file')
  .option(
    '--before <folder>',
    'the checkout of an older commit, built, for the cases that measure it beside this',
  )
  .option('--readme', 'rewrite the tables of docs/speed.md and README.md')
  .option('--capacity', `rewrite ${COSTS}, of which npm run capacity makes docs/capacity.md`)
  .action(run);
await program.parseAsync();

async function run(options: Options): Promise<void> {
  const { from, into } = options;
  const measured = from === undefined ? await measureAll(options) : readResults(from);
  if (measured === null) return;
  process.stdout.write(`${printTable(measured.results)}\n`);
  const results = into === undefined ? measured : putInto(readResults(into), measured);
  const file = options.out ?? into ?? from ?? (options.only === undefined ? defaultFile(results) : null);
  if (file !== null && file !== from) {
    writeResults(file, results);
    say(`Written to ${file}.`);
  }
  if (options.against !== undefined) {
    const changes = compareRuns(readResults(options.against).results, results.results);
    process.stdout.write(`\nSince ${options.against}:\n${describeChanges(changes, results.results)}\n`);
  }
  if (options.readme) {
    if (file === null) throw new Error('docs/speed.md names the file of its results: give one with --out.');
    writeReadme(results, file);
  }
  if (options.capacity) {
    writeCosts(costsOf(results));
    say(`Written to ${COSTS}: npm run capacity makes docs/capacity.md of it.`);
  }
}

/** Null where it was asked to stop. */
async function measureAll({ quick, only, before }: Options): Promise<Results | null> {
  const unknown = (only ?? []).filter((name) => !cases.some((known) => known.name === name));
  if (unknown.length > 0) throw new Error(`No such case: ${unknown.join(', ')}. There are ${names}.`);
  const wanted = cases.filter(({ name }) => only === undefined || only.includes(name));
  const size = quick ? QUICK : FULL;
  const stop = listenForStop();
  const [load = 0] = loadavg();
  if (load > BUSY) {
    say(`This machine has other work (load ${load.toFixed(1)}): CPU and ratios tell more than times.`);
  }
  await using bench = await startBench(size, before ?? null, say);
  await using _servers = { [Symbol.asyncDispose]: stopServers };
  const results: Result[] = [];
  for (const one of wanted) {
    const finished = await Promise.race([runCase(bench, one, stop), once(stop, 'abort').then(() => null)]);
    if (finished === null) return null;
    results.push(...finished);
  }
  return describeRun({ size, load, postgres: bench.postgres.version, results });
}

/** What fails is said, and leaves the other cases to run; the exit code tells. */
async function runCase(bench: Bench, one: BenchCase, stop: AbortSignal): Promise<readonly Result[]> {
  const start = performance.now();
  try {
    const results = await one.run(bench);
    say(`${one.name}: ${Math.round((performance.now() - start) / 1000)} s`);
    return results;
  } catch (error) {
    if (stop.aborted) return [];
    process.exitCode = 1;
    say(`${one.name} FAILED: ${(error as Error).stack}`);
    return [];
  }
}

function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.exitCode = 1;
      stop.abort();
    });
  }
  return stop.signal;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
