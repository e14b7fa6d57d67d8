import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain, OracleFilter } from '../../test/live/oracle.ts';
import { HANG_MS } from '../../test/support/limits.ts';

/** How the gateway answered one question: null where it did not. */
interface Probe {
  readonly at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly hasRetryAfter: boolean;
}

const EVERY_MS = 40;

/** Asks the gateway over REST again and again, and holds each answer to the chain: it is no older than its headers say. */
export class Prober {
  readonly probes: Probe[] = [];
  readonly faults: string[] = [];
  readonly #url: () => string;
  readonly #chain: Chain;
  readonly #owner: string;
  /** The highest block that an answer has named. */
  #newest = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(url: () => string, chain: Chain) {
    this.#url = url;
    this.#chain = chain;
    this.#owner = chain.accounts[0]?.owner ?? '';
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** The slowest refusal, of those that came while the database was away, and those without `Retry-After`. */
  refusalsSince(start: number) {
    const refused = this.probes.filter(({ at, status }) => at >= start && status === 503);
    return {
      count: refused.length,
      slowestMs: Math.max(0, ...refused.map(({ ms }) => ms)),
      withoutRetryAfter: refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length,
    };
  }

  /** How long after a moment the first question was answered well. */
  async firstGoodAfter(moment: number): Promise<number> {
    const deadline = performance.now() + HANG_MS;
    while (performance.now() < deadline) {
      const good = this.probes.find(({ at, ms, status }) => status === 200 && at + ms >= moment);
      if (good !== undefined) return Math.max(0, good.at + good.ms - moment);
      await sleep(EVERY_MS);
    }
    throw new Error(`no good answer within ${HANG_MS} ms`);
  }

  /** Several at once, so that one that waits hides none. */
  async #run(): Promise<void> {
    const open = new Set<Promise<void>>();
    while (!this.#isOver) {
      const asking = this.#ask().finally(() => open.delete(asking));
      open.add(asking);
      await sleep(EVERY_MS);
    }
    await Promise.all(open);
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    const known = this.#newest;
    const path = `/api/v2/accounts?filter.partyIds=${this.#owner}`;
    try {
      const answer = await fetch(`${this.#url()}${path}`, { signal: AbortSignal.timeout(HANG_MS) });
      const body = await answer.json();
      const { status, headers } = answer;
      this.probes.push({ at, ms: performance.now() - at, status, hasRetryAfter: headers.has('retry-after') });
      if (status === 200) this.#check(Number(headers.get('x-block-height') ?? Number.NaN), body, known);
      else if (status !== 503) this.faults.push(`status ${status}: ${JSON.stringify(body)}`);
    } catch {
      this.probes.push({ at, ms: performance.now() - at, status: null, hasRetryAfter: false });
    }
  }

  /** The answer is the state at the end of the block that its header names, or of a later one, and not before what was known. */
  #check(
    height: number,
    body: { accounts: { edges: { node: Record<string, string> }[] } },
    known: number,
  ): void {
    if (!(height >= known)) this.faults.push(`an answer of block ${height}, after one of block ${known}`);
    this.#newest = Math.max(this.#newest, height);
    const filter: OracleFilter = { owners: [this.#owner], markets: [], assets: [], types: [] };
    const told = body.accounts.edges
      .map(({ node }) => describe(node))
      .sort()
      .join();
    const state = new Map<string, string>();
    for (let block = 1; block <= this.#chain.height; block++) {
      for (const [key, row] of this.#chain.changesOf(block, filter)) state.set(key, describe({ ...row }));
      if (block >= height && [...state.values()].sort().join() === told) return;
    }
    this.faults.push(
      `an answer of block ${height} is not the state of that block or of a later one: ${told}`,
    );
  }
}

function describe({ owner, marketId, asset, type, balance }: Readonly<Record<string, string>>): string {
  return [owner, marketId, asset, type, balance].join(' ');
}
