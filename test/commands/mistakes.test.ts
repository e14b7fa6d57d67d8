import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';

/** Whatever opens a database would fail, and end with 1. */
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '0' };
const ELSEWHERE = ['ingest', 'file', '/nowhere.evt', '--to', 'tcp://127.0.0.1:1'];
const ONLY_SENT = "option '--to <address>' cannot be used with option";

test.each([
  [[...ELSEWHERE, '--follow'], `${ONLY_SENT} '--follow'`],
  [[...ELSEWHERE, '--pace', 'max'], `${ONLY_SENT} '--pace <pace>'`],
  [[...ELSEWHERE, '--skip-damaged'], `${ONLY_SENT} '--skip-damaged'`],
  [['serve', '--stream', 'x'], '--stream is for a log that --ingest takes in'],
  [
    ['serve', '--stream', 'x', '--ingest', 'tcp://127.0.0.1:0'],
    '--stream is for a log that --ingest takes in',
  ],
  [['backup', ''], 'The name of the file is blank'],
  [['ingest', 'simulate', '--parties', '0'], '--parties 0 is not a whole number from 1 to 50000.'],
  [['ingest', 'simulate', '--markets', '1001'], '--markets 1001 is not a whole number from 0 to 1000.'],
  [['migrate', '--reader', ''], 'The name of a role has 1 to 63 bytes: "" has not.'],
])('%j is refused before anything is begun', async (args, complaint) => {
  const { code, stdout, stderr } = await runProgram(args, NOWHERE);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(complaint)]);
});
