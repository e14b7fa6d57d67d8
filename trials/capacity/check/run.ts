import { cpus, loadavg } from 'node:os';
import { describeRun } from '../../bench/report/results.ts';
import { stopServers } from '../../bench/servers/start-server.ts';
import { QUICK } from '../../bench/size.ts';
import { startBench } from '../../bench/start-bench.ts';
import { simulate } from '../model/cell.ts';
import { CHECKED, writeChecked } from './checked.ts';
import { apart, compare, describeCompared, faultsOf } from './compare.ts';
import { type Load, openSite, pool, type Site, type Taken } from './site.ts';
import { cellOf, unitCostsOf } from './unit-costs.ts';

/* npm run capacity -- --check: holds the model to a run of this machine, of less than a minute. */

const NOTHING: Load = { keptPerSecond: 0, rowsPerSecond: 0, followers: 0, blocksPerSecond: 0, seconds: 2 };
const FOLLOWERS = { few: 100, many: 900 } as const;
/** All at once, each at another rate than alone. */
const MIXED: Load = {
  keptPerSecond: 1_200,
  rowsPerSecond: 600,
  followers: 500,
  blocksPerSecond: 12,
  seconds: 4,
};
const LOADS = {
  kept: { ...NOTHING, keptPerSecond: 1_500 },
  rows: { ...NOTHING, rowsPerSecond: 900 },
  few: { ...NOTHING, followers: FOLLOWERS.few, blocksPerSecond: 16 },
  many: { ...NOTHING, followers: FOLLOWERS.many, blocksPerSecond: 16 },
  mixed: MIXED,
} as const;
/** What else the machine does falls on all of them. */
const ROUNDS = 3;

const [load = 0] = loadavg();
const cores = cpus().length;
await using bench = await startBench(QUICK, null, say);
await using _servers = { [Symbol.asyncDispose]: stopServers };
await using site = await openSite(bench);
const start = performance.now();
const { mixed, ...alone } = await measureRounds(site);
const costs = unitCostsOf(alone, LOADS, cores);
const report = simulate(cellOf({ ...MIXED, seconds: MIXED.seconds * ROUNDS }, costs, cores));
say(`The run took ${Math.round((performance.now() - start) / 1000)} s.`);
const compared = compare(report, mixed, cores);
const figures = compared.map(describeCompared);
for (const [index, one] of compared.entries()) {
  const { what, model, measured } = figures[index] as (typeof figures)[number];
  const held = one.isHeld ? '' : ' (not held)';
  process.stdout.write(
    `${what}: model ${model}, measured ${measured}, ${Math.round(apart(one) * 100)} % apart${held}\n`,
  );
}
const faults = faultsOf(compared);
if (faults.length > 0) {
  say(`The model is further than 20 % from this run in: ${faults.map(({ what }) => what).join('; ')}.`);
  process.exitCode = 1;
}
if (process.argv.includes('--keep')) {
  const run = { size: QUICK, load, postgres: bench.postgres.version, results: [] };
  const { date, commit, machine } = describeRun(run);
  writeChecked({ date, commit, machine, figures });
  say(`Written to ${CHECKED}: npm run capacity puts it into the document.`);
}

/** Each load in turn, some times. A first round is for warming up, and is forgotten. */
async function measureRounds(site: Site): Promise<Readonly<Record<keyof typeof LOADS, Taken>>> {
  await site.take({ ...MIXED, followers: 50, mayBeRefused: true });
  const names = Object.keys(LOADS) as (keyof typeof LOADS)[];
  const taken = new Map<keyof typeof LOADS, Taken[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) taken.get(name)?.push(await site.take(LOADS[name]));
  }
  const of = (name: keyof typeof LOADS) => pool(taken.get(name) ?? []);
  return { kept: of('kept'), rows: of('rows'), few: of('few'), many: of('many'), mixed: of('mixed') };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
