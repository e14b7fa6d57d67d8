/** The least of positions, times or other whole numbers. */
export function min(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((least, one) => (one < least ? one : least), first);
}

/** The greatest of them. */
export function max(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((greatest, one) => (one > greatest ? one : greatest), first);
}

/** Has JSON.stringify write them as text. */
export function writeBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
