import { type Command, InvalidArgumentError } from 'commander';
import type { Side } from '../data/digests/comparison.ts';
import { GatewayError } from '../errors.ts';
import { addExamples } from './help.ts';
import { loadSides, openReadable, openReader } from './readable-place.ts';
import type { Job, Run } from './run.ts';

export function addDigest(program: Command, run: Run): void {
  const command = program
    .command('digest')
    .description('print the digest of a block and of all that the network has as of it; changes nothing')
    .option('--at <height>', 'of the block at a height; of the newest where none is given', readHeight)
    .option('--json', 'as one object of JSON')
    .action((options: DigestOptions) => run((job) => printDigest(job, options)));
  addExamples(command, [
    ['periscope digest', 'of the newest block'],
    ['periscope digest --at 1087 --json | jq -r .state', 'for a script'],
  ]);
}

interface DigestOptions {
  readonly at?: bigint;
  readonly json?: true;
}

async function printDigest({ config, stop, signal }: Job, { at, json }: DigestOptions): Promise<void> {
  await using place = await openReadable(config, stop);
  await using database = await openReader(place.url);
  const { sideOf } = await loadSides();
  const side = sideOf(place.name, database.statements.until(signal));
  const height = at ?? (await newestOf(side));
  const [block, { digest: state, nouns }] = await Promise.all([side.digestAt(height), side.stateAt(height)]);
  if (json) {
    const text = JSON.stringify({ height: `${height}`, block, state, nouns }, null, 1);
    process.stdout.write(`${text}\n`);
    return;
  }
  const lines = [
    `block ${height}`,
    `blocks          ${block ?? 'no digest: an older version wrote this block'}`,
    `state           ${state}`,
    ...nouns.map(({ noun, rows, digest }) => `  ${noun.padEnd(14)}${digest}  ${rows} rows`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The height of the newest block. Throws where there is none. */
export async function newestOf(side: Side): Promise<bigint> {
  const newest = await side.newest();
  if (newest === null) throw new GatewayError('FAILED_PRECONDITION', `${side.name} has no block yet.`);
  return newest;
}

export function readHeight(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It takes the height of a block.');
}
