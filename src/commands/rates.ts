const MEBIBYTE = 1024;

/** How long something took since a moment of the process, how fast that was, and what memory the process had at most. */
export function describeRate(rows: number, since: number): string {
  const seconds = (performance.now() - since) / 1000;
  const perSecond = Math.round(rows / Math.max(seconds, 0.001));
  const most = Math.round(process.resourceUsage().maxRSS / MEBIBYTE);
  return `${seconds.toFixed(1)} s, ${perSecond} rows a second, ${most} MiB of memory at most`;
}
