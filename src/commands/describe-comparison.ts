import type { Comparison, DifferingLines, Side } from '../data/digests/comparison.ts';

/** Whether nothing that was compared differs: not whether all was compared. */
export function isSame({ chain, lacking, differing }: Comparison): boolean {
  const isWhole = lacking.every((one) => one === null || one.height === null);
  return chain?.isEqual !== false && isWhole && differing.length === 0;
}

/** How two stand beside each other, as a person reads it in a terminal. */
export function describeComparison(comparison: Comparison, sides: readonly [Side, Side]): string {
  const { differing } = comparison;
  return [
    describeVerdict(comparison, sides),
    ...describeChain(comparison, sides),
    ...describeLacking(comparison, sides),
    ...describeStates(comparison),
    ...differing.flatMap((lines) => describeLines(lines, sides)),
  ].join('\n');
}

/** "The same" is said of what was wholly compared alone. */
function describeVerdict(comparison: Comparison, [first, second]: readonly [Side, Side]): string {
  const { height, chain, states } = comparison;
  const [at, both] = [`At block ${height}`, `${first.name} and ${second.name}`];
  if (!isSame(comparison)) return `${at}, ${both} are not the same.`;
  if (states.every((state) => state !== null)) return `${at}, ${both} are the same.`;
  if (chain === null) return `${at}, nothing of ${both} was compared.`;
  return `${at}, the blocks of ${both} are the same.`;
}

function describeStates({ states: [state], refused, differing }: Comparison): readonly string[] {
  if (refused.length > 0) return [describeRefusal(refused)];
  if (state === null) return ['The states were not asked for.'];
  if (differing.length === 0) return [`The states are equal: ${state.digest}`];
  return [`The states differ in: ${differing.map(({ noun }) => noun).join(', ')}`];
}

/** Why the states were not compared. */
export function describeRefusal(refused: readonly string[]): string {
  return `The states were not compared. ${refused.join(' ')}`;
}

function describeChain({ chain, lacking }: Comparison, sides: readonly [Side, Side]): readonly string[] {
  if (chain === null)
    return ['One of them has no digest of this block: an older version wrote it, or it is not there.'];
  if (!chain.isEqual)
    return [`The first block that differs is ${chain.height}.`, ...describeLines(chain, sides)];
  if (lacking.every((one) => one === null || one.height === null))
    return ['All blocks up to there are equal.'];
  return ['Both have taken in the same blocks up to there.'];
}

/** A gateway is asked for its digests alone, which say what it has taken in. */
function describeLacking({ lacking }: Comparison, sides: readonly [Side, Side]): readonly string[] {
  return lacking.flatMap((one, index) => {
    const { name } = sides[index] as Side;
    if (one === null)
      return [`Of ${name} that is by its digest: whether it still has each of them, it was not asked.`];
    if (one.height === null) return [];
    const others = one.begin === undefined ? 'it has some before and behind' : `its first is ${one.begin}`;
    return [`${name} has no block ${one.height}: ${others}.`];
  });
}

function describeLines(
  { onlyFirst, onlySecond }: DifferingLines,
  [first, second]: readonly [Side, Side],
): readonly string[] {
  const list = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`Only in ${name}:`, ...lines.map((line) => `  ${line.trimEnd()}`)];
  return [...list(first.name, onlyFirst), ...list(second.name, onlySecond)];
}
