import { readFileSync } from 'node:fs';

/** The version of this program, as in `0.1.0`. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
