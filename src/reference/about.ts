import { readFileSync } from 'node:fs';

/** The version of this program, as in `0.1.0`. */
export const VERSION = readVersion();

/** What the documents say of the whole. */
export const INFO = {
  title: 'Periscope',
  version: VERSION,
  summary: 'A read-only query gateway for a trading network.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** What holds of every quantity, wherever it stands. */
export const QUANTITIES = `Numbers, prices and times are text: exact at any size, and never a float. Times are nanoseconds
since the Unix epoch. Every field is always there: a text that is absent is empty, a number \`"0"\`, a list \`[]\`, an object \`null\`.`;

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
