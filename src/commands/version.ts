import { NEWEST_RELEASE } from '../domain/releases.ts';
import { VERSION } from '../reference/about.ts';

/** What `--version` prints: the version alone or, with `--json` beside it, what belongs to it too. */
export function describeVersion(args: readonly string[]): string {
  if (!args.includes('--json')) return VERSION;
  const { node } = process.versions;
  return JSON.stringify({ version: VERSION, node, newestKnownRelease: NEWEST_RELEASE });
}
