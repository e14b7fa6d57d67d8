import { askState, compareAt, type Side } from '../data/digests/comparison.ts';
import { describeSpoiled, type Spoiled, scrub } from '../data/digests/scrub.ts';
import { DisposableStack } from '../disposable-stack.ts';
import { min, writeBigint } from '../domain/bigints.ts';
import { GatewayError } from '../errors.ts';
import { describeComparison, describeRefusal, isSame } from './describe-comparison.ts';
import { openReadable } from './readable-place.ts';
import { EXIT_CODES, type Job, UsageError } from './run.ts';
import { openReader, openSide } from './sides.ts';

/** What `digest` and `verify` do. It is loaded when one of them is asked for. */

/** The block that is meant, what of it, and the form of the output. */
export interface DigestOptions {
  readonly at?: bigint;
  readonly blocks?: boolean;
  readonly json?: true;
}

/** Prints the digests of a block, and of all rows as of it. Throws behind that where there is none of the rows. */
export async function printDigest(job: Job, { at, blocks, json }: DigestOptions): Promise<void> {
  const opened = new DisposableStack();
  try {
    const side = await openSide(job, undefined, opened);
    const height = await findHeight([side], at);
    const [block, rows] = await Promise.all([
      side.digestAt(height),
      blocks ? undefined : askState(side, height),
    ]);
    const text = json ? writeDigest(height, block, rows) : describeDigest(height, block, rows);
    process.stdout.write(`${text}\n`);
    refuse(rows?.refusal);
  } finally {
    await opened.close();
  }
}

type AskedState = Awaited<ReturnType<typeof askState>>;

function writeDigest(height: bigint, block: string | null, rows: AskedState | undefined): string {
  const { state = null, refusal } = rows ?? {};
  const ofState = rows && {
    ...{ state: state?.digest ?? null, nouns: state?.nouns ?? null },
    ...(refusal ? { refused: refusal } : {}),
  };
  return JSON.stringify({ height: `${height}`, block, ...ofState }, null, 1);
}

function describeDigest(height: bigint, block: string | null, rows: AskedState | undefined): string {
  const nouns = rows?.state?.nouns ?? [];
  const width = Math.max(...['blocks', ...nouns.map(({ noun }) => noun)].map(({ length }) => length)) + 2;
  return [
    `block ${height}`,
    `${'blocks'.padEnd(width + 2)}${block ?? 'no digest: an older version wrote this block, or it is not there'}`,
    ...(rows ? [`${'state'.padEnd(width + 2)}${rows.state?.digest ?? rows.refusal}`] : []),
    ...nouns.map(({ noun, rows, digest }) => `  ${noun.padEnd(width)}${digest}  ${rows} rows`),
  ].join('\n');
}

/** What could not be had is a failure, behind the output of what could: no script takes it for equal. */
function refuse(refusal: string | null | undefined): void {
  if (refusal) throw new GatewayError('FAILED_PRECONDITION', refusal);
}

/** Compares two, and prints how they stand beside each other. Throws behind that where their states could not be compared. */
export async function compare(
  job: Job,
  first: string,
  second: string | undefined,
  { at, blocks = false, json }: DigestOptions,
): Promise<void> {
  const opened = new DisposableStack();
  try {
    const sides = [await openSide(job, first, opened), await openSide(job, second, opened)] as const;
    const height = await findHeight(sides, at);
    const comparison = await compareAt(...sides, height, { blocksOnly: blocks });
    const text = json ? JSON.stringify(comparison, writeBigint, 1) : describeComparison(comparison, sides);
    process.stdout.write(`${text}\n`);
    if (!isSame(comparison)) process.exitCode = EXIT_CODES.differs;
    else if (comparison.refused.length > 0) refuse(describeRefusal(comparison.refused));
    else if (comparison.chain === null && blocks)
      refuse('One of them has no digest of this block, so that nothing was compared.');
  } finally {
    await opened.close();
  }
}

/** Reads the database of the settings again, and names what was spoiled in it. */
export async function readAgain(
  { config, stop, signal }: Job,
  { at, blocks, json }: DigestOptions,
): Promise<void> {
  if (blocks) throw new UsageError('--blocks is for two that are compared.');
  await using place = await openReadable(config, stop);
  await using database = openReader(place.url);
  const spoiled: Spoiled[] = [];
  let count = 0;
  const { from, upTo, rows } = await scrub(database.statements.until(signal), {
    ...{ signal, rowsPerSecond: null, upTo: at ?? null },
    onSpoiled(one) {
      count += 1;
      if (spoiled.length < MOST_NAMED) spoiled.push(one);
    },
  });
  if (from === null)
    throw new GatewayError('FAILED_PRECONDITION', `${place.name} has no block that can be read again.`);
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

/** So many are named of what was spoiled. */
const MOST_NAMED = 100;

/** The height that is meant, of a block that all sides have; without one, the newest of that kind. */
async function findHeight(sides: readonly Side[], at: bigint | undefined): Promise<bigint> {
  const ranges = await Promise.all(sides.map(heightsOf));
  const height = at ?? ranges.map(({ newest }) => newest).reduce((one, other) => min(one, other));
  for (const { name, first, newest } of ranges) {
    if (height >= first && height <= newest) continue;
    throw new GatewayError(
      'OUT_OF_RANGE',
      `${name} has no block at height ${height}: it has blocks ${first} to ${newest}.`,
    );
  }
  return height;
}

async function heightsOf(side: Side) {
  const heights = await side.heights();
  if (heights === null) throw new GatewayError('FAILED_PRECONDITION', `${side.name} has no block yet.`);
  return { name: side.name, ...heights };
}
