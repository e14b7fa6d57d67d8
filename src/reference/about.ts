import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** What the documents say of the whole. */
export const INFO = {
  title: 'Periscope',
  version,
  summary: 'A read-only query gateway for a trading network.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** What holds of every quantity, wherever it stands. */
export const QUANTITIES = `Numbers, prices and times are text: exact at any size, and never a float. Times are nanoseconds
since the Unix epoch. Every field is always there: a text that is absent is empty, a number \`"0"\`, a list \`[]\`, an object \`null\`.`;
