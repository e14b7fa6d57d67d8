// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Runs within `npm version`, which has set the new version: puts what CHANGELOG.md has under "Unreleased" under that
 * version, with today's date. Fails, and with it the release, where nothing is there.
 */

const FILE = 'CHANGELOG.md';
const HEADING = '## [Unreleased]\n';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = readFileSync(FILE, 'utf8');
const begin = text.indexOf(HEADING);
const end = text.indexOf('\n## [', begin + HEADING.length);
const unreleased = text.slice(begin + HEADING.length, end < 0 ? undefined : end).trim();
if (begin < 0 || unreleased === '') {
  process.stderr.write(`${FILE} has nothing under "Unreleased": say there what ${version} changes.\n`);
  process.exit(1);
}
const date = new Date().toISOString().slice(0, 10);
const rest = end < 0 ? '' : text.slice(end);
writeFileSync(FILE, `${text.slice(0, begin)}${HEADING}\n## [${version}] - ${date}\n\n${unreleased}\n${rest}`);
