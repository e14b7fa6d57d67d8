/** A time of the network, nanoseconds as text, as people read it: `2026-01-01 00:02:31 UTC`. */
export function writeTime(nanoseconds: string): string {
  const time = new Date(Number(BigInt(nanoseconds) / 1_000_000n));
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The same for machines, in `<time datetime>`. */
export function isoTime(nanoseconds: string): string {
  return new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString();
}
