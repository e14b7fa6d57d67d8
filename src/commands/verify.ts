import type { Command } from 'commander';
import type { Comparison, DifferingLines, Side } from '../data/digests/comparison.ts';
import type { Spoiled } from '../data/digests/scrub.ts';
import { DisposableStack } from '../disposable-stack.ts';
import { min, writeBigint } from '../domain/bigints.ts';
import { newestOf, readHeight } from './digest.ts';
import { gatewaySide } from './gateway-side.ts';
import { addExamples } from './help.ts';
import { loadSides, openReadable, openReader } from './readable-place.ts';
import { EXIT_CODES, type Job, type Run, UsageError } from './run.ts';

export function addVerify(program: Command, run: Run): void {
  const command = program
    .command('verify')
    .description(
      'compare two by their digests: the first block that differs, and the rows; or read the blocks of one again; changes nothing',
    )
    .argument(
      '[first]',
      'the address of a gateway (http://…) or of a database (postgres://…); none: the blocks of the database of the settings are read again',
    )
    .argument('[second]', 'another; the database of the settings where there is none')
    .option('--at <height>', 'as of a block; of the newest that both have where none is given', readHeight)
    .option('--json', 'as one object of JSON')
    .action((first: string | undefined, second: string | undefined, options: VerifyOptions) =>
      run((job) => (first === undefined ? readAgain(job, options) : compare(job, first, second, options))),
    );
  addExamples(command, [
    ['periscope verify http://other:3008', 'a gateway beside the database of the settings'],
    ['periscope verify postgres://primary/periscope postgres://replica/periscope', 'two databases'],
    ['periscope verify http://one http://other --at 1087 > /dev/null || echo differ', 'for a script'],
  ]);
}

interface VerifyOptions {
  readonly at?: bigint;
  readonly json?: true;
}

async function compare(
  job: Job,
  first: string,
  second: string | undefined,
  { at, json }: VerifyOptions,
): Promise<void> {
  const { compareAt } = await import('../data/digests/comparison.ts');
  const opened = new DisposableStack();
  try {
    const sides = [await openSide(job, first, opened), await openSide(job, second, opened)] as const;
    const height = at ?? min(await newestOf(sides[0]), await newestOf(sides[1]));
    const comparison = await compareAt(...sides, height);
    const text = json ? JSON.stringify(comparison, writeBigint, 1) : describe(comparison, sides);
    process.stdout.write(`${text}\n`);
    if (!isSame(comparison)) process.exitCode = EXIT_CODES.differs;
  } finally {
    await opened.close();
  }
}

/** Reads the database of the settings again, and names what was spoiled in it. */
async function readAgain({ config, stop, signal }: Job, { at, json }: VerifyOptions): Promise<void> {
  await using place = await openReadable(config, stop);
  await using database = await openReader(place.url);
  const { scrub, describeSpoiled } = await loadScrub();
  const spoiled: Spoiled[] = [];
  let count = 0;
  const { from, upTo, rows } = await scrub(database.statements.until(signal), {
    ...{ signal, rowsPerSecond: null, upTo: at ?? null },
    onSpoiled(one) {
      count += 1;
      if (spoiled.length < MOST_NAMED) spoiled.push(one);
    },
  });
  const read = `blocks ${from} to ${upTo}, ${rows} rows`;
  const said =
    count === 0
      ? `All is what it was when it was written: ${read}.`
      : [
          `${count} are not what they were when they were written, of ${read}:`,
          ...spoiled.map(describeSpoiled),
        ].join('\n  ');
  const found = { from, upTo, rows, count, spoiled };
  process.stdout.write(`${json ? JSON.stringify(found, writeBigint, 1) : said}\n`);
  if (count > 0) process.exitCode = EXIT_CODES.differs;
}

/** Not within `readAgain`: as in `serve.ts`. */
function loadScrub() {
  return import('../data/digests/scrub.ts');
}

/** So many are named of what was spoiled. */
const MOST_NAMED = 100;

async function openSide(
  { config, stop, signal }: Job,
  address: string | undefined,
  opened: DisposableStack,
): Promise<Side> {
  if (address !== undefined && /^https?:\/\//.test(address)) return gatewaySide(address, signal);
  if (address !== undefined && !/^postgres(ql)?:\/\//.test(address)) {
    throw new UsageError(
      `${address} is neither the address of a gateway (http://…) nor of a database (postgres://…).`,
    );
  }
  const { sideOf } = await loadSides();
  const place = address === undefined ? opened.use(await openReadable(config, stop)) : null;
  const url = place?.url ?? (address as string);
  const database = opened.use(await openReader(url));
  const name = place?.name ?? `the database at ${new URL(url).host}`;
  return sideOf(name, database.statements.until(signal));
}

function isSame({ chain, differing }: Comparison): boolean {
  return chain?.isEqual !== false && differing.length === 0;
}

/** The same as a person reads it in a terminal. */
function describe(comparison: Comparison, [first, second]: readonly [Side, Side]): string {
  const { height, chain, states, differing } = comparison;
  const same = isSame(comparison) ? 'the same' : 'not the same';
  return [
    `At block ${height}, ${first.name} and ${second.name} are ${same}.`,
    ...describeChain(chain, [first, second]),
    differing.length === 0
      ? `The states are equal: ${states[0].digest}`
      : `The states differ in: ${differing.map(({ noun }) => noun).join(', ')}`,
    ...differing.flatMap((lines) => describeLines(lines, [first, second])),
  ].join('\n');
}

function describeChain(chain: Comparison['chain'], sides: readonly [Side, Side]): readonly string[] {
  if (chain === null) return ['One of them has no digest of this block: an older version wrote it.'];
  if (chain.isEqual) return ['All blocks up to there are equal.'];
  return [`The first block that differs is ${chain.height}.`, ...describeLines(chain, sides)];
}

function describeLines(
  { onlyFirst, onlySecond }: DifferingLines,
  [first, second]: readonly [Side, Side],
): readonly string[] {
  const list = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`Only in ${name}:`, ...lines.map((line) => `  ${line.trimEnd()}`)];
  return [...list(first.name, onlyFirst), ...list(second.name, onlySecond)];
}
