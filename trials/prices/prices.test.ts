import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readListening, startProgram } from '../../test/support/program.ts';
import { chooseRandom } from '../../test/support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../../test/support/simulated.ts';
import { type Input, KINDS } from './inputs.ts';

// What a gateway charges beside the processor's time that it takes, for random inputs, most of which it refuses. By itself this
// measures, and fails where a unit costs more than ten times the median: npm run prices. In the suite it only asks, since times
// fail no test there.
const INPUTS = Number(process.env['PRICES_INPUTS'] ?? 0);
const MOST = 10;
/** The kernel counts a process's time in hundredths of a second: an input is repeated for so many of them. */
const LEAST_MS = 120;
const MOST_REQUESTS = 600;
/** The burst of a client is ten times as much, and what costs more is charged nearly all of it. So little comes back in a millisecond. */
const RATE_LIMIT = 5_000;

let network: SimulatedDatabase;

beforeAll(async () => {
  network = await createSimulatedDatabase({ seed: 9, blocks: 60, parties: 20, markets: 3 });
});

afterAll(() => network?.[Symbol.asyncDispose]());

test('no unit that is charged costs more than ten times the median', {
  timeout: 120_000 + INPUTS * 10_000,
}, async ({ skip }) => {
  skip(process.platform !== 'linux', 'the time of a process is read from /proc');
  const environment = {
    DATABASE_URL: network.url,
    PORT: '0',
    RATE_LIMIT: `${RATE_LIMIT}`,
    TRUSTED_PROXIES: 'loopback',
  };
  await using program = startProgram(
    ['serve'],
    { ...environment, SHUTDOWN_GRACE_MS: '0' },
    110_000 + INPUTS * 10_000,
  );
  const url = await readListening(program.process.stdout as never);
  if (url === null) throw new Error((await program.ended).stderr);
  const gateway = new Gateway(url, program.process.pid as number);
  const random = chooseRandom('prices of inputs');
  const names = Object.keys(KINDS);
  // Code is slow before it is compiled.
  if (INPUTS > 0)
    for (const name of names)
      await gateway.timeOf((nonce) => (KINDS[name] as (typeof KINDS)[string])(random, nonce));
  const measured: Measured[] = [];
  for (let count = 0; count < Math.max(INPUTS, names.length); count += 1) {
    const name = names[count % names.length] as string;
    // The same sizes in each repetition: only the nonce differs.
    const seed = random.below(2 ** 30);
    const make = (nonce: string) =>
      (KINDS[name] as (typeof KINDS)[string])(chooseRandom(`${name} ${seed}`), nonce);
    const charged = await gateway.chargeOf(make);
    expect([name, charged > 0]).toEqual([name, true]);
    if (INPUTS === 0) continue;
    const us = await gateway.timeOf(make);
    measured.push({ name, charged, us });
  }
  if (INPUTS === 0) return;
  const sorted = measured
    .map((one) => ({ ...one, unit: one.us / one.charged }))
    .sort((a, b) => b.unit - a.unit);
  const median = sorted[Math.floor(sorted.length / 2)]?.unit ?? 1;
  console.info(`${measured.length} inputs; a unit takes ${median.toFixed(2)} us (median)`);
  for (const { name, charged, us, unit } of sorted.slice(0, 12))
    console.info(
      `${(unit / median).toFixed(1)} x: ${name}: charged ${Math.round(charged)}, took ${Math.round(us)} us`,
    );
  expect(sorted.filter(({ unit }) => unit > MOST * median).map(({ name }) => name)).toEqual([]);
});

interface Measured {
  readonly name: string;
  readonly charged: number;
  /** Of the gateway's processor time, for each. */
  readonly us: number;
}

/** A gateway of its own process, asked each time by another client, who has all that one may ask for. */
class Gateway {
  readonly #url: string;
  readonly #pid: number;
  #asked = 0;
  readonly #ticks = Number(execFileSync('getconf', ['CLK_TCK']));

  constructor(url: string, pid: number) {
    this.#url = url;
    this.#pid = pid;
  }

  /** What an input costs its client, as the next answer to that client says it: the most of some, as a little comes back meanwhile, and on a busy machine all. */
  async chargeOf(make: (nonce: string) => Input): Promise<number> {
    let most = 0;
    for (let times = 0; times < 4 || (most <= 0 && times < 40); times += 1) {
      const client = this.#nextClient();
      await this.#ask(make(this.#nonce()), client);
      const both = await this.#lackOf(client);
      most = Math.max(most, both - (await this.#lackOf(this.#nextClient())));
    }
    return most;
  }

  async timeOf(make: (nonce: string) => Input): Promise<number> {
    const start = this.#cpuMs();
    let requests = 0;
    while (requests < MOST_REQUESTS && this.#cpuMs() - start < LEAST_MS) {
      await Promise.all(Array.from({ length: 4 }, () => this.#ask(make(this.#nonce()), this.#nextClient())));
      requests += 4;
    }
    return ((this.#cpuMs() - start) / requests) * 1000;
  }

  async #lackOf(client: string): Promise<number> {
    const { headers } = await this.#ask({ path: '/api/v2/deposit/none', init: {} }, client);
    return Number(headers.get('RateLimit-Limit')) - Number(headers.get('RateLimit-Remaining'));
  }

  async #ask({ path, init }: Input, client: string): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), 'X-Forwarded-For': client };
    const response = await fetch(`${this.#url}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return response;
  }

  /** User and system time. */
  #cpuMs(): number {
    const [, fields = ''] = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ');
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
    return ((user + system) / this.#ticks) * 1000;
  }

  #nonce(): string {
    this.#asked += 1;
    return `n${this.#asked}`;
  }

  #nextClient(): string {
    this.#asked += 1;
    return `10.${(this.#asked >> 16) & 255}.${(this.#asked >> 8) & 255}.${this.#asked & 255}`;
  }
}
