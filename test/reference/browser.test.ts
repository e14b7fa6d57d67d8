import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { routes, streamRoutes } from '../../src/rest/index.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

if (CHROMIUM === undefined)
  console.warn('test/reference/browser.test.ts is skipped: there is no Chromium here');

test.skipIf(CHROMIUM === undefined)('a browser that reaches nothing else shows every page', async () => {
  await using gateway = await startOwnGateway();
  const rest = await show(`${gateway.url}/docs`);
  for (const { summary } of [...routes, ...streamRoutes]) expect(rest).toContain(summary);
  const streams = await show(`${gateway.url}/docs/streams`);
  for (const { summary } of streamRoutes) expect(streams).toContain(summary);
  const graphql = await show(`${gateway.url}/docs/graphql`);
  for (const name of Object.keys(schema.getQueryType()?.getFields() ?? {})) expect(graphql).toContain(name);
});

/** What a page has become once its scripts have run. */
async function show(url: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'periscope-reference-'));
  try {
    const options = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--virtual-time-budget=20000',
      '--dump-dom',
      url,
    ];
    const limits = { timeout: HANG_MS, maxBuffer: 2 ** 26 };
    const { stdout } = await promisify(execFile)(CHROMIUM ?? '', options, limits);
    return stdout.replaceAll('&amp;', '&');
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}
