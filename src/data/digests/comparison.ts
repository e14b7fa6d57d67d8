import { max } from '../../domain/bigints.ts';
import { GatewayError } from '../../errors.ts';
import type { StateDigest, StateLine } from './state-digests.ts';

/** One of two whose blocks and states are compared. */
export interface Side {
  /** How a person calls it. */
  readonly name: string;
  /** The heights of the first and the newest block; null where there is none. */
  heights(): Promise<{ readonly first: bigint; readonly newest: bigint } | null>;
  /** The height of the first block that has a digest; null where none has. */
  firstDigested(): Promise<bigint | null>;
  /** The digest of the block at a height; null where it has none. */
  digestAt(height: bigint): Promise<string | null>;
  /** The first block from a height on that is there and has a digest; null where none is. */
  digestFrom(height: bigint): Promise<DigestedBlock | null>;
  /** The state as of a height. Throws a GatewayError where there is no digest of it to be had, which says why. */
  stateAt(height: bigint): Promise<StateDigest>;
  /** Its rows; null where it gives digests alone. */
  readonly rows: SideRows | null;
}

export interface DigestedBlock {
  readonly height: bigint;
  readonly digest: string;
}

/** The first height that is not there, of those that should be up to another; null where all are. */
interface Lacking {
  readonly height: bigint | null;
  /** The first that is there, where all before it are gone. */
  readonly begin?: bigint;
}

export interface SideRows {
  /** The first height between its first block and another that it has no block of; null where it has all. */
  firstLacking(upTo: bigint): Promise<bigint | null>;
  /** What a block changed, as lines: out of the tables as they are now. */
  changesOf(height: bigint): Promise<readonly string[]>;
  /** The rows of a noun as of a height, in their order. */
  pagesOf(noun: string, height: bigint): AsyncIterable<readonly StateLine[]>;
}

/** Lines that only one of two has. */
export interface DifferingLines {
  readonly noun: string | null;
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** How two stand beside each other at a height. */
export interface Comparison {
  readonly height: bigint;
  /** Of the blocks up to there; null where one of the two has no digest there. */
  readonly chain: { readonly isEqual: true } | FirstDifference | null;
  /** Of each, which blocks before that are not there: their digests say that they once were. Null where it gives digests alone. */
  readonly lacking: readonly [Lacking | null, Lacking | null];
  /** Null for one that was not asked for, or of which there is no digest to be had. */
  readonly states: readonly [StateDigest | null, StateDigest | null];
  /** Why there is none. Where there is a reason the states were not compared, and nothing is known of the rows. */
  readonly refused: readonly string[];
  /** The nouns whose rows differ, with the first that do, where both give rows. */
  readonly differing: readonly DifferingLines[];
}

/** The first block whose digests differ, and what each of the two says that it changed. */
export interface FirstDifference extends DifferingLines {
  readonly isEqual: false;
  readonly height: bigint;
}

/** So many lines are told of what differs, of each of the two. */
const MOST_TOLD = 10;

/** Compares two at a height that both have: their blocks, and their states unless these are not asked for. */
export async function compareAt(
  first: Side,
  second: Side,
  height: bigint,
  asked: { readonly blocksOnly?: boolean } = {},
): Promise<Comparison> {
  const chain = await compareChains(first, second, height);
  const lacking = await findLacking([first, second], height, chain);
  const { states, refused } = asked.blocksOnly ? NO_STATES : await readStates([first, second], height);
  const differing: DifferingLines[] = [];
  const others = states[1]?.nouns ?? [];
  for (const { noun, digest } of (states[1] && states[0]?.nouns) ?? []) {
    if (others.find((one) => one.noun === noun)?.digest === digest) continue;
    const lines =
      first.rows === null || second.rows === null
        ? NO_LINES
        : await findDifferingRows(first.rows.pagesOf(noun, height), second.rows.pagesOf(noun, height));
    differing.push({ ...lines, noun });
  }
  return { height, chain, lacking, states, refused, differing };
}

const NO_STATES = { states: [null, null], refused: [] } as const;

/** The states of both. Of a large one a gateway has no digest, which a database reads for long: a gateway is asked before. */
async function readStates(
  sides: readonly [Side, Side],
  height: bigint,
): Promise<Pick<Comparison, 'states' | 'refused'>> {
  const states: [StateDigest | null, StateDigest | null] = [null, null];
  const refused: string[] = [];
  const read = async (index: 0 | 1) => {
    const { state, refusal } = await askState(sides[index], height);
    states[index] = state;
    if (refusal !== null) refused.push(refusal);
  };
  const [gateways, databases] = [true, false].map((isGateway) =>
    ([0, 1] as const).filter((index) => (sides[index].rows === null) === isGateway),
  );
  await Promise.all((gateways ?? []).map(read));
  if (refused.length === 0) await Promise.all((databases ?? []).map(read));
  return { states, refused };
}

/** The state of one as of a height, or why there is no digest of it. */
export async function askState(
  side: Side,
  height: bigint,
): Promise<{ readonly state: StateDigest | null; readonly refusal: string | null }> {
  try {
    return { state: await side.stateAt(height), refusal: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { state: null, refusal: `${side.name} gives no digest of its state: ${error.message}` };
  }
}

/** Of each, what is not there any more. Two with one digest have begun with the same block, and blocks are never dropped. */
async function findLacking(
  [first, second]: readonly [Side, Side],
  upTo: bigint,
  chain: Comparison['chain'],
): Promise<Comparison['lacking']> {
  const [begin, otherBegin] = chain?.isEqual
    ? await Promise.all([first.firstDigested(), second.firstDigested()])
    : [null, null];
  const find = async ({ rows }: Side, own: bigint | null, other: bigint | null) => {
    if (rows === null) return null;
    if (own !== null && other !== null && own > other) return { height: other, begin: own };
    return { height: await rows.firstLacking(upTo) };
  };
  return Promise.all([find(first, begin, otherBegin), find(second, otherBegin, begin)]);
}

const NO_LINES = { onlyFirst: [], onlySecond: [] };

/** What differs once differs for ever: the first block that both have and that differs is found by halves. */
async function compareChains(first: Side, second: Side, height: bigint): Promise<Comparison['chain']> {
  const [one, other] = await Promise.all([first.digestAt(height), second.digestAt(height)]);
  if (one === null || other === null) return null;
  if (one === other) return { isEqual: true };
  const begins = await Promise.all([first.firstDigested(), second.firstDigested()]);
  const least = max(0n, ...begins.map((begin) => begin ?? 0n));
  const common = (from: bigint) => findCommon(first, second, from, height);
  const from = await findFirstHeight(least, height, async (at) => !((await common(at))?.isEqual ?? false));
  const found = (await common(from))?.height ?? height;
  return { isEqual: false, height: found, noun: null, ...(await findDifferingChanges(first, second, found)) };
}

/** The first block that both have from a height on and before another; null where they have none. Either may lack some. */
async function findCommon(first: Side, second: Side, from: bigint, before: bigint) {
  let at = from;
  while (at < before) {
    const [one, other] = await Promise.all([first.digestFrom(at), second.digestFrom(at)]);
    if (one === null || other === null) break;
    if (one.height === other.height) return { height: one.height, isEqual: one.digest === other.digest };
    at = max(one.height, other.height);
  }
  return null;
}

/** The first height of which something is true that stays so up to `most`, where it is: by halves. */
export async function findFirstHeight(
  least: bigint,
  most: bigint,
  isTrue: (height: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [from, to] = [least, most];
  while (from < to) {
    const middle = (from + to) / 2n;
    if (await isTrue(middle)) to = middle;
    else from = middle + 1n;
  }
  return to;
}

async function findDifferingChanges({ rows: first }: Side, { rows: second }: Side, height: bigint) {
  if (first === null || second === null) return NO_LINES;
  const [one, other] = await Promise.all([first.changesOf(height), second.changesOf(height)]);
  return { onlyFirst: linesLacking(one, other), onlySecond: linesLacking(other, one) };
}

/** The first of some lines that are not among others. */
function linesLacking(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line)).slice(0, MOST_TOLD);
}

/** Walks the rows of both side by side, by their positions: the rows of one event, which share theirs, at once. */
async function findDifferingRows(
  first: AsyncIterable<readonly StateLine[]>,
  second: AsyncIterable<readonly StateLine[]>,
): Promise<{ readonly onlyFirst: readonly string[]; readonly onlySecond: readonly string[] }> {
  const [ofFirst, ofSecond] = [eventsOf(first), eventsOf(second)];
  const [onlyFirst, onlySecond]: [string[], string[]] = [[], []];
  let [one, other] = [await next(ofFirst), await next(ofSecond)];
  while ((one !== null || other !== null) && onlyFirst.length + onlySecond.length < 2 * MOST_TOLD) {
    const [at, otherAt] = [one?.position ?? END, other?.position ?? END];
    const lines = at <= otherAt ? (one?.lines ?? []) : [];
    const otherLines = otherAt <= at ? (other?.lines ?? []) : [];
    onlyFirst.push(...linesLacking(lines, otherLines));
    onlySecond.push(...linesLacking(otherLines, lines));
    if (at <= otherAt) one = await next(ofFirst);
    if (otherAt <= at) other = await next(ofSecond);
  }
  await Promise.all([ofFirst.return(null), ofSecond.return(null)]);
  return { onlyFirst: onlyFirst.slice(0, MOST_TOLD), onlySecond: onlySecond.slice(0, MOST_TOLD) };
}

/** The lines of one position. */
interface EventLines {
  readonly position: bigint;
  readonly lines: readonly string[];
}

async function* eventsOf(pages: AsyncIterable<readonly StateLine[]>): AsyncGenerator<EventLines, null> {
  let [at, lines]: [bigint, string[]] = [END, []];
  for await (const page of pages)
    for (const { position, line } of page) {
      if (position !== at && lines.length > 0) yield { position: at, lines };
      if (position !== at) [at, lines] = [position, []];
      lines.push(line);
    }
  if (lines.length > 0) yield { position: at, lines };
  return null;
}

async function next(events: AsyncGenerator<EventLines, null>): Promise<EventLines | null> {
  return (await events.next()).value;
}

/** Behind all positions. */
const END = 2n ** 63n;
