import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readListening, startProgram } from '../../test/support/program.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../../test/support/simulated.ts';

// What others see while somebody asks for what is refused: a table, of which no time fails. What fails is an answer that
// is none of the documented ones, or none at all. By itself this goes on for longer: npm run refusals.
const SECONDS = Number(process.env['REFUSALS_SECONDS'] ?? 1);
const WORKERS = process.env['REFUSALS_WORKERS'] ?? '1';
const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url));

/** What is asked, on how many connections, from how many addresses. */
const ATTACKS: readonly (readonly [kind: string, connections: number, addresses: number])[] = [
  ['nothing', 1, 1],
  ['invalid documents, in batches of ten', 40, 1],
  ['documents over the limit of tokens', 40, 1],
  ['90 conflicting aliases', 40, 1],
  ['4,000 bad values in variables', 40, 1],
  ['invalid documents on a WebSocket', 1, 1],
  ['invalid documents on a WebSocket', 20, 20],
  ['invalid documents, in batches of ten', 40, 20],
  ['new introspection documents', 40, 20],
  ['1,500 node ids as variables', 40, 20],
  ['brackets that never close', 40, 20],
  ['a refused argument below a page', 3, 3],
  ['a new connection for each question', 40, 20],
];

let network: SimulatedDatabase;

beforeAll(async () => {
  network = await createSimulatedDatabase({ seed: 9, blocks: 60, parties: 20, markets: 3 });
});

afterAll(() => network?.[Symbol.asyncDispose]());

test('whatever is refused of some, the others are answered', {
  timeout: 300_000 + SECONDS * 60_000,
}, async () => {
  await using program = startProgram(
    ['serve'],
    {
      DATABASE_URL: network.url,
      ...{ PORT: '0', RATE_LIMIT: '200000', TRUSTED_PROXIES: 'loopback', WORKERS, SHUTDOWN_GRACE_MS: '0' },
    },
    600_000 + SECONDS * 60_000,
  );
  const url = await readListening(program.process.stdout as never);
  if (url === null) throw new Error((await program.ended).stderr);
  for (const attack of ATTACKS) {
    const { health, polite, statuses } = await probeDuring(url, attack);
    const [kind, connections, addresses] = attack;
    console.info(
      `${kind} (${connections} connections, ${addresses} addresses): health ${describe(health)}; ` +
        `polite clients ${describe(polite.map(({ ms }) => ms))}; the attacker has ${statuses}`,
    );
    for (const { status } of polite) expect([200, 503]).toContain(status);
    const answered = polite.filter(({ status }) => status === 200).length;
    expect(answered).toBeGreaterThan(0.8 * polite.length);
  }
});

/** Asks on new connections, as probes and as clients of other addresses do, for as long as an attack lasts. */
async function probeDuring(url: string, [kind, connections, addresses]: (typeof ATTACKS)[number]) {
  const args = [ATTACKER, url, kind, connections, addresses, SECONDS].map(String);
  const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let statuses = '';
  attacker.stdout.on('data', (chunk) => {
    statuses += chunk;
  });
  let isOver = false;
  const over = once(attacker, 'close').then(() => {
    isOver = true;
  });
  const [health, polite]: [Promise<Probe>[], Promise<Probe>[]] = [[], []];
  for (let number = 0; !isOver; number += 1) {
    health.push(ask(url, 'GET /health/live HTTP/1.1\r\n'));
    const body = JSON.stringify({
      query: `{ p${number}: deposits(first: 5) { edges { node { id amount } } } }`,
    });
    polite.push(
      ask(
        url,
        `POST /graphql HTTP/1.1\r\nX-Forwarded-For: 198.51.100.${1 + (number % 100)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
        body,
      ),
    );
    await sleep(50);
  }
  await over;
  return {
    health: (await Promise.all(health)).map(({ ms }) => ms),
    polite: await Promise.all(polite),
    statuses,
  };
}

interface Probe {
  readonly ms: number;
  readonly status: number;
}

/** Asks on a connection of its own. */
async function ask(url: string, head: string, body = ''): Promise<Probe> {
  const start = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  socket.write(`${head}Host: x\r\nConnection: close\r\n\r\n${body}`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return { ms: performance.now() - start, status: Number(chunk.toString('latin1', 9, 12)) };
}

function describe(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${sorted.length}`;
}
