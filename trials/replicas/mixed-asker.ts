import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain, OracleFilter } from '../../test/live/oracle.ts';
import { HANG_MS } from '../../test/support/limits.ts';

/** A request that failed: when it was under way, how it ended, and on which gateway; null where nobody said. */
export interface Failure {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly gateway: string | null;
}

export interface AskingOptions {
  readonly everyMs?: number;
  /** Whether blocks never go back on one gateway: not where it has workers, of which one may be a block ahead. */
  readonly holdsOrder?: boolean;
  /** Whether every fourth question is about an earlier block. */
  readonly asksPast?: boolean;
}

const EVERY_MS = 25;
/** No answer is as many blocks late, but for one that is found out by reading all blocks. */
const LATEST = 200;
/** Questions about the past reach back so far. */
const PAST_BLOCKS = 50;

interface Row {
  readonly [field: string]: string;
}

interface Found {
  readonly block: { readonly height: string };
  readonly accounts: { readonly edges: readonly { readonly node: Row }[] };
}

/** What a question was answered with: by which gateway, the block that the answer names, and the accounts in it. */
interface Told {
  readonly gateway: string;
  readonly height: number;
  readonly accounts: readonly Row[];
}

/**
 * Asks the same thing in several ways, again and again, and holds each answer to the chain: it is the state of the block
 * that it names, or of a later one, and that is no older than the block that was asked for.
 */
export class MixedAsker {
  readonly failures: Failure[] = [];
  readonly faults: string[] = [];
  answers = 0;
  readonly #url: string;
  readonly #chain: Chain;
  readonly #owners: readonly string[];
  readonly #options: AskingOptions;
  /** The accounts of each owner as of some block that answers are beyond: each is looked at from there on. */
  readonly #bases = new Map<string, { height: number; readonly state: Map<string, string> }>();
  /** The newest block that any answer named. */
  #newest = 0;
  /** The same of each gateway, by what the proxy calls it: one that has started anew knows of no answer. */
  #told = new Map<string, number>();
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(url: string, chain: Chain, options: AskingOptions = {}) {
    this.#options = options;
    this.#url = url;
    this.#chain = chain;
    this.#owners = [...new Set(chain.accounts.map(({ owner }) => owner))].slice(0, 20);
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** A gateway starts anew: what is asked from now on is held to no block that was named before. */
  forgetBlocks(): void {
    this.#told = new Map();
  }

  /** Several at once, so that one that waits hides none. */
  async #run(): Promise<void> {
    const open = new Set<Promise<void>>();
    for (let count = 0; !this.#isOver; count++) {
      const isOfPast = this.#options.asksPast === true && count % 4 === 3 && this.#newest > PAST_BLOCKS;
      const asking = (isOfPast ? this.#askPast(count) : this.#ask(count)).finally(() => open.delete(asking));
      open.add(asking);
      await sleep(this.#options.everyMs ?? EVERY_MS);
    }
    await Promise.all(open);
  }

  async #ask(count: number): Promise<void> {
    const owner = this.#owners[count % this.#owners.length] ?? '';
    const from = performance.now();
    const leastHeight = count % 3 === 2 ? this.#newest : 0;
    const told = this.#told;
    const before = new Map(told);
    try {
      const { gateway, height, accounts } = await (count % 2 === 0
        ? this.#askRest(owner, leastHeight)
        : this.#askGraphql(owner, leastHeight));
      this.answers += 1;
      if (height < leastHeight) this.faults.push(`block ${height} for who asked for ${leastHeight}`);
      const last = before.get(gateway) ?? 0;
      if (height < last && this.#told === told && this.#options.holdsOrder !== false)
        this.faults.push(`${count % 2 === 0 ? 'REST' : 'GraphQL'} names block ${height} after block ${last}`);
      this.#check(owner, height, accounts);
      told.set(gateway, Math.max(told.get(gateway) ?? 0, height));
      this.#newest = Math.max(this.#newest, height);
    } catch (error) {
      this.forgetBlocks();
      this.#noteFailure(from, error);
    }
  }

  /** What was at an earlier block is exactly that, whoever answers. */
  async #askPast(count: number): Promise<void> {
    const owner = this.#owners[count % this.#owners.length] ?? '';
    const asOf = this.#newest - (count % PAST_BLOCKS);
    const from = performance.now();
    try {
      const { height, accounts } = await this.#askGraphql(owner, asOf, asOf);
      this.answers += 1;
      if (height !== asOf) this.faults.push(`block ${height} for who asked as of ${asOf}`);
      const { state, height: first } = this.#baseOf(owner, asOf);
      const expected = new Map(state);
      for (let block = first + 1; block <= asOf; block++) this.#advance(expected, owner, block);
      if ([...expected.values()].sort().join() !== accounts.map(describe).sort().join())
        this.faults.push(`an answer as of block ${asOf} is not the state of that block`);
    } catch (error) {
      this.#noteFailure(from, error);
    }
  }

  #noteFailure(from: number, error: unknown): void {
    const gateway = error instanceof AnswerError ? error.gateway : null;
    this.failures.push({ from, to: performance.now(), reason: describeFailure(error), gateway });
  }

  async #askRest(owner: string, leastHeight: number): Promise<Told> {
    const answer = await fetch(`${this.#url}/api/v2/accounts?filter.partyIds=${owner}`, {
      headers: leastHeight > 0 ? { 'X-Min-Block-Height': `${leastHeight}` } : {},
      signal: AbortSignal.timeout(HANG_MS),
    });
    if (answer.status !== 200) throw new AnswerError(answer, await answer.text());
    const body = (await answer.json()) as { accounts: { edges: { node: Row }[] } };
    const height = Number(answer.headers.get('x-block-height'));
    return { gateway: gatewayOf(answer), height, accounts: body.accounts.edges.map(({ node }) => node) };
  }

  async #askGraphql(owner: string, leastHeight: number, asOf?: number): Promise<Told> {
    const fields = `block { height } accounts(filter: { partyIds: $ids }) {
      edges { node { owner balance asset marketId type } } }`;
    const query =
      asOf === undefined
        ? `query($ids: [ID!]) { ${fields} }`
        : `query($ids: [ID!], $height: Uint64) { asOf(height: $height) { ${fields} } }`;
    const answer = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(leastHeight > 0 && { 'X-Min-Block-Height': `${leastHeight}` }),
      },
      body: JSON.stringify({ query, variables: { ids: [owner], ...(asOf && { height: `${asOf}` }) } }),
      signal: AbortSignal.timeout(HANG_MS),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new AnswerError(answer, text);
    const { data, errors } = JSON.parse(text) as { data: Found & { asOf?: Found }; errors?: unknown };
    if (errors !== undefined) throw new AnswerError(answer, JSON.stringify(errors));
    const { block, accounts } = data.asOf ?? data;
    const rows = accounts.edges.map(({ node }) => node);
    return { gateway: gatewayOf(answer), height: Number(block.height), accounts: rows };
  }

  #check(owner: string, height: number, accounts: readonly Row[]): void {
    const told = accounts.map(describe).sort().join();
    const base = this.#baseOf(owner, height);
    const state = new Map(base.state);
    for (let block = base.height; block <= this.#chain.height; block++) {
      if (block > base.height) this.#advance(state, owner, block);
      if (block >= height && [...state.values()].sort().join() === told) return;
    }
    this.faults.push(`an answer of block ${height} is not the state of that block or of a later one`);
  }

  /** The accounts of an owner as of a block that is not beyond this one. */
  #baseOf(owner: string, height: number) {
    const base = this.#bases.get(owner) ?? { height: 0, state: new Map<string, string>() };
    this.#bases.set(owner, base);
    if (base.height > height) return { height: 0, state: new Map<string, string>() };
    while (base.height < height - LATEST) this.#advance(base.state, owner, ++base.height);
    return base;
  }

  #advance(state: Map<string, string>, owner: string, block: number): void {
    const filter: OracleFilter = { owners: [owner], markets: [], assets: [], types: [] };
    for (const [key, row] of this.#chain.changesOf(block, filter)) state.set(key, describe({ ...row }));
  }
}

/** What a gateway, or the proxy for it, answered instead of what was asked. */
class AnswerError extends Error {
  readonly gateway: string | null;

  constructor(answer: Response, text: string) {
    super(`${answer.status} ${text}`);
    this.gateway = gatewayOf(answer) || null;
  }
}

function gatewayOf({ headers }: Response): string {
  return headers.get('x-gateway') ?? '';
}

function describe({ owner, marketId, asset, type, balance }: Row): string {
  return [owner, marketId, asset, type, balance].join(' ');
}

function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
