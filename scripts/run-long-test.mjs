// Runs one of the tests that can go on for long, at its full size: what `npm run fuzz`, `executors`, `chaos`, `followers`, `replicas`, `refusals`, `prices`, `past`, `answers`, `series`, `lag`, `regions`, `disks`, `size`, `size-answers` and `soak` do.
//   npm run fuzz -- --inputs 1000000 --seed 7
// The seed is another one in each run, unless it is given; a run prints it, and ends non-zero on a fault.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';

/** The settings of each: the environment variable that its test reads, and the value of a whole run. */
const TESTS = {
  fuzz: { inputs: ['FUZZ_INPUTS', '1000000'] },
  executors: { operations: ['EXECUTORS_OPERATIONS', '100000'] },
  chaos: { rounds: ['CHAOS_ROUNDS', '5'], streams: ['CHAOS_STREAMS', '200'] },
  followers: { rounds: ['FOLLOWERS_ROUNDS', '20'], clients: ['FOLLOWERS_CLIENTS', '500'] },
  replicas: {
    rounds: ['REPLICAS_ROUNDS', '10'],
    streams: ['REPLICAS_STREAMS', '200'],
    workers: ['REPLICAS_WORKERS', '0'],
  },
  refusals: { seconds: ['REFUSALS_SECONDS', '5'], workers: ['REFUSALS_WORKERS', '1'] },
  prices: { inputs: ['PRICES_INPUTS', '150'] },
  sums: { questions: ['SUMS_QUESTIONS', '10000'] },
  past: { blocks: ['PAST_TRIAL_BLOCKS', '200'] },
  answers: { minutes: ['ANSWERS_MINUTES', '60'] },
  series: { questions: ['SERIES_QUESTIONS', '10000'] },
  lag: { blocks: ['LAG_BLOCKS', '300'] },
  regions: { rounds: ['REGIONS_ROUNDS', '20'], clients: ['REGIONS_CLIENTS', '500'] },
  disks: { rewards: ['DISKS_REWARDS', '1000000'], rate: ['DISKS_RATE', '1000'] },
  size: {
    rewards: ['SIZE_REWARDS', '24000000'],
    parties: ['SIZE_PARTIES', '200000'],
    blocks: ['SIZE_BLOCKS', '300'],
  },
  'size-answers': { rows: ['SIZE_ROWS', '100000000'], times: ['SIZE_TIMES', '200'] },
  soak: { minutes: ['SOAK_MINUTES', '10'] },
};

const [name, ...args] = process.argv.slice(2);
const settings = TESTS[name];
const given = readArguments(Object.keys(settings));
const environment = Object.entries(settings).map(([option, [variable, usual]]) => [
  variable,
  given[option] ?? usual,
]);

const OTHERS = {
  followers: 'trials/chaos/followers.test.ts',
  replicas: 'trials/replicas/oracle.test.ts',
  'size-answers': 'trials/size/answers.test.ts',
};
const file = OTHERS[name] ?? `trials/${name}/${name}.test.ts`;
const vitest = ['node_modules/vitest/vitest.mjs', 'run', file, '--disableConsoleIntercept=true'];
const child = spawn(process.execPath, vitest, {
  stdio: 'inherit',
  env: { ...process.env, ...Object.fromEntries(environment), SEED: given.seed ?? `${randomInt(1e9)}` },
});
// A terminal sends Ctrl-C to both.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});

/** Whole numbers, each after the name of its option. */
function readArguments(names) {
  const options = Object.fromEntries([...names, 'seed'].map((option) => [option, { type: 'string' }]));
  try {
    const { values } = parseArgs({ args, options });
    for (const [option, value] of Object.entries(values)) {
      if (!/^\d{1,9}$/.test(value)) throw new Error(`--${option} is "${value}"; it takes a whole number.`);
    }
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
