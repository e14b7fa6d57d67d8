import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { HANG_MS } from '../../test/support/limits.ts';
import { CHROMIUM } from '../../test/support/open-page.ts';

/** A tab that runs what it is given. */
export interface Tab {
  /** Gives what an expression comes to, which is sent as JSON. */
  run<Given = unknown>(expression: string): Promise<Given>;
  reload(): Promise<void>;
  /** Stops everything in it for a time, as a machine that sleeps does; calls meanwhile. */
  sleepWhile(act: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface Browser extends AsyncDisposable {
  open(url: string): Promise<Tab>;
}

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

/** What is there of the browsers that tests run in. */
export const BROWSERS = {
  Chromium: CHROMIUM === undefined ? null : () => openChromium(CHROMIUM as string),
  Firefox: FIREFOX === undefined ? null : () => openFirefox(FIREFOX as string),
} as const;

/** So that an expression's value comes as JSON, whatever it is. */
const asJson = (expression: string) => `(async () => JSON.stringify((await (${expression})) ?? null))()`;

async function openChromium(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath, args, timeout: HANG_MS });
  const context = await browser.newContext();
  return {
    async open(url) {
      const page = await context.newPage();
      page.setDefaultTimeout(HANG_MS);
      await page.goto(url);
      // A page that is in sight is never frozen (`Page.setWebLifecycleState`), and playwright's always are: it is paused.
      const debugging = await context.newCDPSession(page);
      return {
        run: async (expression) => JSON.parse(await page.evaluate<string>(asJson(expression))),
        reload: async () => void (await page.reload()),
        async sleepWhile(act) {
          await debugging.send('Debugger.enable');
          const paused = new Promise((resolve) => debugging.once('Debugger.paused', resolve));
          await debugging.send('Debugger.pause');
          await paused;
          await act();
          await debugging.send('Debugger.disable');
        },
        close: () => page.close(),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Firefox as it is, by WebDriver BiDi, which it has no word in for sleep: all its processes are stopped. */
async function openFirefox(executablePath: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'periscope-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
  const child = spawn(executablePath, args, {
    detached: true,
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid as number), name);
  const end = async () => {
    signal('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const send = await connect(await addressIn(child.stderr));
    await send('session.new', { capabilities: {} });
    return { open: (url) => openTab(send, signal, url), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output });
  const timeout = AbortSignal.timeout(HANG_MS);
  for (;;) {
    const [line] = (await once(lines, 'line', { signal: timeout })) as [string];
    const [, address] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) return `${address}/session`;
  }
}

type Send = (method: string, params: object) => Promise<Readonly<Record<string, unknown>>>;

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Readonly<Record<string, unknown>>) => void>();
  socket.on('message', (text) => {
    const answer = JSON.parse(String(text));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let count = 0;
  return async (method, params) => {
    count += 1;
    const id = count;
    const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const late = sleep(HANG_MS, null, { ref: false });
    const answer = await Promise.race([answered, late]);
    if (answer?.['type'] !== 'success')
      throw new Error(`Firefox says to ${method}: ${JSON.stringify(answer)}`);
    return answer['result'] as Readonly<Record<string, unknown>>;
  };
}

async function openTab(send: Send, signal: (name: NodeJS.Signals) => void, url: string): Promise<Tab> {
  const { context } = await send('browsingContext.create', { type: 'tab' });
  await send('browsingContext.navigate', { context, url, wait: 'complete' });
  return {
    async run(expression) {
      const asked = { expression: asJson(expression), target: { context }, awaitPromise: true };
      const { type, result, exceptionDetails } = await send('script.evaluate', asked);
      if (type !== 'success') throw new Error(`in Firefox: ${JSON.stringify(exceptionDetails)}`);
      return JSON.parse((result as { readonly value: string }).value);
    },
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    async sleepWhile(act) {
      signal('SIGSTOP');
      try {
        await act();
      } finally {
        signal('SIGCONT');
      }
    },
    close: async () => void (await send('browsingContext.close', { context })),
  };
}
