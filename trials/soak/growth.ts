/** How much a figure may grow from its first reading to its last, as a part of it, or in its own unit where that is more. */
export interface Tolerance {
  readonly part: number;
  readonly least: number;
}

/**
 * Whether readings at equal distances grow: the line through them (least squares) rises by more than is tolerated, from
 * the first to the last, and so does their median from the first half to the second. One high reading is no growth.
 */
export function grows(readings: readonly number[], { part, least }: Tolerance): boolean {
  const half = Math.floor(readings.length / 2);
  const [before, after] = [median(readings.slice(0, half)), median(readings.slice(-half))];
  const tolerated = Math.max(least, part * before);
  return slopeOf(readings) * (readings.length - 1) > tolerated && after - before > tolerated / 2;
}

function slopeOf(readings: readonly number[]): number {
  const middle = (readings.length - 1) / 2;
  const mean = readings.reduce((sum, reading) => sum + reading, 0) / readings.length;
  const products = readings.reduce((sum, reading, n) => sum + (n - middle) * (reading - mean), 0);
  const squares = readings.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
  return squares === 0 ? 0 : products / squares;
}

function median(readings: readonly number[]): number {
  const sorted = readings.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
