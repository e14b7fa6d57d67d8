import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { HANG_MS } from './limits.ts';

/** Where there may be a Chromium; undefined where there is none. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** A name of this machine that browsers take for another's: pages that come from it over plain HTTP may do less. */
export const ELSEWHERE = 'periscope.test';

/** A tab of a headless Chromium of its own. */
export interface OpenPage extends AsyncDisposable {
  readonly browser: Browser;
  readonly page: Page;
  /** What went wrong in the page, as its console has it. */
  readonly faults: readonly string[];
}

export interface Appearance {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens the page of the gateway at an address. */
export async function openPage(
  url: string,
  { width = 1280, colorScheme = 'light' }: Appearance = {},
): Promise<OpenPage> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium here');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    // Root has no sandbox to give, and containers often little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`],
    timeout: HANG_MS,
  });
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(HANG_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(url);
  return { browser, page, faults, [Symbol.asyncDispose]: () => browser.close() };
}
