// @ts-check
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

/*
 * npm run lighthouse -- http://127.0.0.1:3008: Lighthouse's four scores of each kind of page, as on a phone and on a desk, and on a slow
 * network (150 ms, 1.6 Mbit/s) with a processor four times slower the largest contentful paint and what was transferred. It measures times: the machine should do nothing else.
 * It ends non-zero where a page is below LEAST, or the first load above its limits.
 */

const VERSION = '12.8.2';
const LEAST = 95;
const MOST_PAINT_MS = 1_000;
const MOST_BYTES = 150_000;
const CHROMIUM = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage'];
const [url = 'http://127.0.0.1:3008'] = process.argv.slice(2);

const { market, party } = await findPlaces();
const explorer = ['/', `/market/${market}`, `/party/${party}`];
let isGood = true;
for (const path of [...explorer, '/docs', '/docs/guides', '/docs/asking', '/graphql'])
  for (const preset of ['mobile', 'desktop']) report(path, preset, await askLighthouse(path, preset));
for (const path of explorer) await measureFirstLoad(path);
process.exitCode = isGood ? 0 : 1;

/**
 * @param {string} path
 * @param {string} preset
 * @returns {Promise<Readonly<Record<string, number>>>}
 */
async function askLighthouse(path, preset) {
  const form = preset === 'desktop' ? ['--preset=desktop'] : [];
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      `lighthouse@${VERSION}`,
      url + path,
      '--quiet',
      '--output=json',
      ...form,
      `--chrome-flags=${FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM }, maxBuffer: 2 ** 28, timeout: 300_000 },
  );
  const { categories } = /** @type {{ categories: Record<string, { score: number | null }> }} */ (
    JSON.parse(stdout)
  );
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
  );
}

/** @param {string} path @param {string} preset @param {Readonly<Record<string, number>>} scores */
function report(path, preset, scores) {
  isGood &&= Object.values(scores).every((score) => score >= LEAST);
  console.log(
    path.slice(0, 20),
    preset,
    Object.entries(scores)
      .map((one) => one.join(' '))
      .join(', '),
  );
}

/** @param {string} path */
async function measureFirstLoad(path) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const tools = await page.context().newCDPSession(page);
    let bytes = 0;
    tools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await tools.send('Network.enable');
    const speed = { downloadThroughput: 200_000, uploadThroughput: 93_750 };
    await tools.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...speed });
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(`new PerformanceObserver((list) => (globalThis.painted = list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true });`);
    await page.goto(url + path);
    // Its first data are there by then, and only a few blocks more.
    await sleep(4_000);
    const painted = Math.round(Number(await page.evaluate('globalThis.painted')));
    isGood &&= painted <= MOST_PAINT_MS && bytes <= MOST_BYTES;
    console.log(path.slice(0, 20), `largest contentful paint after ${painted} ms, ${bytes} bytes in 4 s`);
  } finally {
    await browser.close();
  }
}

async function findPlaces() {
  const query = '{ marketsData(first: 1) { nodes { market } } trades(first: 1) { nodes { buyer } } }';
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } =
    /** @type {{ data: { marketsData: { nodes: { market: string }[] }, trades: { nodes: { buyer: string }[] } } }} */ (
      await answer.json()
    );
  return { market: data.marketsData.nodes[0]?.market, party: data.trades.nodes[0]?.buyer };
}
