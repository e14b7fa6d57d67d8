import { NEWEST_RELEASE } from '../domain/releases.ts';
import { VERSION } from '../reference/about.ts';

/** What `--version` prints: the version alone or, with `--json` beside it, what belongs to it too. */
export function describeVersion(args: readonly string[]): string {
  if (!args.includes('--json')) return VERSION;
  const { node } = process.versions;
  return JSON.stringify({ version: VERSION, node, newestKnownRelease: NEWEST_RELEASE });
}

/** The oldest Node.js that it runs on, as package.json has it. */
export const OLDEST_NODE = '20.19';

/** What to tell who runs it on an older one; null where there is nothing to tell. */
export function describeOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `It needs Node.js ${OLDEST_NODE} or newer, and this is ${version}.`;
}
