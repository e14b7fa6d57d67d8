import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
const NETWORK = { seed: 11, parties: 10, markets: 1 };
const FIRST_BLOCKS = 20;
const LAST_BLOCK = 60;

if (CHROMIUM === undefined) console.warn('test/live/browser.test.ts is skipped: there is no Chromium here');

test.skipIf(CHROMIUM === undefined)(
  'a page follows an account with the graphql-ws client and an EventSource while blocks arrive',
  async () => {
    await using database = await createTestDatabase();
    await applyUpTo(database.url, FIRST_BLOCKS);
    await using gateway = await startTestGateway(database.url);
    const owner = await busiestOwner(gateway.rest);
    await using page = await openPage(gateway.url, owner);

    // Both have their snapshots before the network goes on.
    await page.until((told) => SOURCES.every((source) => told.some((message) => message.source === source)));
    await applyUpTo(database.url, LAST_BLOCK);
    const { body } = await gateway.rest(`/api/v2/accounts?filter.partyIds=${owner}`);
    const expected = Object.fromEntries(
      body.accounts.edges.map(({ node }: Edge) => [keyOf(node), node.balance]),
    );
    for (const source of SOURCES) {
      await page.until((told) => {
        const messages = told.filter((message) => message.source === source);
        return JSON.stringify(fold(messages)) === JSON.stringify(sorted(expected));
      });
    }
    const updates = page.told.filter(({ kind }) => kind === 'updates');
    expect(new Set(updates.map(({ source }) => source))).toEqual(new Set(SOURCES));
  },
);

const SOURCES = ['graphql-ws', 'EventSource'];

interface Account {
  readonly marketId: string;
  readonly asset: string;
  readonly type: string;
  readonly balance: string;
}

interface Edge {
  readonly node: Account;
}

interface Told {
  readonly source: string;
  readonly kind: 'snapshot' | 'updates';
  readonly accounts: readonly Account[];
}

async function applyUpTo(url: string, blocks: number): Promise<void> {
  await using writer = await Writer.open(url);
  const { signal } = new AbortController();
  await applySource(openSimulation({ ...NETWORK, blocks }), writer, { pace: 'max', signal });
}

/** The party whose account changed last: it will change again. */
async function busiestOwner(
  rest: (path: string) => Promise<{ body: { accounts: { edges: { node: { owner: string } }[] } } }>,
) {
  const { body } = await rest(
    '/api/v2/accounts?filter.accountTypes=ACCOUNT_TYPE_GENERAL&pagination.newestFirst=false',
  );
  return body.accounts.edges[0]?.node.owner ?? '';
}

function keyOf({ marketId, asset, type }: Account): string {
  return `${marketId}/${asset}/${type}`;
}

function fold(messages: readonly Told[]): Record<string, string> {
  return sorted(
    Object.fromEntries(
      messages.flatMap(({ accounts }) => accounts.map((account) => [keyOf(account), account.balance])),
    ),
  );
}

function sorted(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A page in a headless browser that tells what its streams bring. */
async function openPage(gateway: string, owner: string) {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    serve(request, response, pageOf(gateway, owner), told).catch((error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'periscope-browser-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(
    CHROMIUM as string,
    [
      ...flags,
      '--disable-quic',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      address,
    ],
    {
      stdio: 'ignore',
    },
  );
  const ended = once(browser, 'exit');
  return {
    told,
    async until(isTrue: (told: readonly Told[]) => boolean): Promise<void> {
      for (const deadline = Date.now() + HANG_MS; !isTrue(told); await sleep(20)) {
        if (Date.now() > deadline) throw new Error(`the page told ${JSON.stringify(told).slice(0, 2000)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      browser.kill('SIGKILL');
      await ended;
      server.closeAllConnections();
      server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  page: string,
  told: Told[],
): Promise<void> {
  if (request.method === 'POST') {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    told.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  } else if (request.url?.endsWith('.js')) {
    const file = resolve('node_modules/graphql-ws/dist', basename(request.url));
    response.setHeader('Content-Type', 'text/javascript').end(await readFile(file));
  } else {
    response.setHeader('Content-Type', 'text/html').end(page);
  }
}

function pageOf(gateway: string, owner: string): string {
  const query = `subscription($owner: ID!) {
    accounts(filter: { partyIds: [$owner] }) {
      snapshot { accounts { marketId asset type balance } }
      updates { accounts { marketId asset type balance } }
    }
  }`;
  return `<!doctype html><script type="module">
    import { createClient } from '/client.js';
    let last = Promise.resolve();
    const tell = (source, { snapshot, updates }) => {
      const { accounts } = snapshot ?? updates;
      const body = JSON.stringify({ source, kind: snapshot ? 'snapshot' : 'updates', accounts });
      last = last.then(() => fetch('/', { method: 'POST', body }));
    };
    createClient({ url: ${JSON.stringify(`${gateway.replace('http', 'ws')}/graphql`)} }).subscribe(
      { query: ${JSON.stringify(query)}, variables: { owner: '${owner}' } },
      { next: ({ data }) => tell('graphql-ws', data.accounts), error: console.error, complete() {} },
    );
    new EventSource('${gateway}/api/v2/stream/accounts?partyId=${owner}').onmessage = ({ data }) =>
      tell('EventSource', JSON.parse(data).result);
  </script>`;
}
