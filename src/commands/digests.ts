import { askState, compareAt, type Side } from '../data/digests/comparison.ts';
import { sideOf } from '../data/digests/database-side.ts';
import { describeSpoiled, type Spoiled, scrub } from '../data/digests/scrub.ts';
import { findPlace, type PartPlace } from '../data/parts/place.ts';
import { checkWhole } from '../data/parts/progress-table.ts';
import { type Database, openDatabase } from '../data/servers/client.ts';
import { DisposableStack } from '../disposable-stack.ts';
import { min, writeBigint } from '../domain/bigints.ts';
import { GatewayError } from '../errors.ts';
import { describeComparison, describeRefusal, isSame } from './describe-comparison.ts';
import { gatewaySide } from './gateway-side.ts';
import { holdsParts, openParts } from './parts-side.ts';
import { openReadable } from './readable-place.ts';
import { EXIT_CODES, type Job, UsageError } from './run.ts';

/** What `digest` and `verify` do. It is loaded when one of them is asked for. */

/** A page of rows as of a block is read by one statement, on a machine with other work. */
const STATEMENT_LIMIT_MS = 120_000;

/** The block that is meant, what of it, and the form of the output. */
export interface DigestOptions {
  readonly at?: bigint;
  readonly blocks?: boolean;
  readonly json?: true;
}

/** Prints the digests of a block, and of all rows as of it. Throws behind that where there is none of the rows. */
export async function printDigest(
  { config, stop, signal }: Job,
  { at, blocks, json }: DigestOptions,
): Promise<void> {
  await using place = await openReadable(config, stop);
  await using database = openReader(place.url);
  const statements = database.statements.until(signal);
  await checkWhole(statements);
  const side = sideOf(place.name, statements);
  const height = at ?? (await newestOf(side));
  const [block, rows] = await Promise.all([
    side.digestAt(height),
    blocks ? undefined : askState(side, height),
  ]);
  const text = json ? writeDigest(height, block, rows) : describeDigest(height, block, rows);
  process.stdout.write(`${text}\n`);
  refuse(rows?.refusal);
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
    const height = at ?? min(await newestOf(sides[0]), await newestOf(sides[1]));
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

async function openSide(job: Job, address: string | undefined, opened: DisposableStack): Promise<Side> {
  const { name, url } = await openAddress(job, address, opened);
  if (url === null) return gatewaySide(name, job.signal);
  const database = opened.use(openReader(url));
  const statements = database.statements.until(job.signal);
  await checkWhole(statements);
  return sideOf(name, statements);
}

/** What an address is, by what a person calls it, and the database that has its rows; null where that is a gateway's alone. */
async function openAddress(
  job: Job,
  address: string | undefined,
  opened: DisposableStack,
): Promise<{ readonly name: string; readonly url: string | null }> {
  if (address === undefined) return opened.use(await openReadable(job.config, job.stop));
  if (/^postgres(ql)?:\/\//.test(address))
    return { name: `the database at ${new URL(address).host}`, url: address };
  const place = placeOf(address);
  if (place !== null && (await holdsParts(place, job.signal))) return openParts(address, place, job, opened);
  if (place?.kind === 'web') return { name: address, url: null };
  throw new UsageError(
    `${address === '' ? 'Nothing' : address} is neither the address of a gateway (http://…) nor of a database (postgres://…), and no folder of parts: it has no manifest.json. ${OF_ITS_OWN}`,
  );
}

/** What is no place of parts may be something else; what cannot be an address is not. */
function placeOf(address: string): PartPlace | null {
  try {
    return findPlace(address);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A file of `backup`, and a `DATA_DIR`, hold a database that nobody serves. */
const OF_ITS_OWN =
  'To compare a backup, restore it into a database of its own, and what a DATA_DIR holds, name it in the settings: docs/digests.md says how.';

/** The height of the newest block. Throws where there is none. */
async function newestOf(side: Side): Promise<bigint> {
  const newest = await side.newest();
  if (newest === null) throw new GatewayError('FAILED_PRECONDITION', `${side.name} has no block yet.`);
  return newest;
}

function openReader(url: string): Database {
  return openDatabase({ url, readOnly: true, statementTimeoutMs: STATEMENT_LIMIT_MS });
}
