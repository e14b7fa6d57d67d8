const MEBIBYTE = 1024;

/** How long something took since a moment of the process, how fast that was, and what processor time and memory the process had for all it did. */
export function describeRate(rows: number, since: number): string {
  const seconds = (performance.now() - since) / 1000;
  const perSecond = Math.round(rows / Math.max(seconds, 0.001));
  const { user, system } = process.cpuUsage();
  const busy = ((user + system) / 1e6).toFixed(1);
  const most = Math.round(process.resourceUsage().maxRSS / MEBIBYTE);
  return `${seconds.toFixed(1)} s (${busy} s of processor time here), ${perSecond} rows a second, ${most} MiB of memory at most`;
}
