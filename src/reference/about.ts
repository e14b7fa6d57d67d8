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
export const QUANTITIES = `Amounts, prices and times are text: exact at any size, and never a float. Times are nanoseconds since the Unix epoch.`;

/** What stands in an answer of REST where there is no value, and the one kind of number that is not exact. */
export const MEMBERS = `In REST a member that OpenAPI requires is always there: a text that is absent is empty, a number \`"0"\`, a list \`[]\`, an object \`null\`;
other members are left out then. Factors of markets that the network has as doubles are bare numbers.`;

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
