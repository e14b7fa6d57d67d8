import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../../test/support/limits.ts';
import { withoutBlock } from '../../test/support/past-texts.ts';

/** An address of a documented path, or an operation and the same as of a block. */
export type Question =
  | { readonly kind: 'address'; readonly text: string }
  | (Operation & { readonly kind: 'operation'; readonly asOf: (height: number) => Operation });

interface Operation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What was said as of a block, in the words of the present; empty where that cannot be asked. */
type Truth = (question: Question, height: number) => Promise<string>;

const HEAD = '/api/v2/accounts?pagination.first=1';
/** An answer can be of no more blocks than come while it is made, but on a machine that stands still. */
const MOST_BLOCKS = 40;
/** How many blocks the database may be ahead of what its gateway names, and how long they take to be named. */
const MOST_AHEAD = 4;
const AHEAD_MS = 500;

/**
 * Asks a gateway, and holds each answer to the blocks that it can be of: from the one that was named before it was asked for to
 * the newest when it was there. Where all of them say the same, the answer must say it. Where they differ it must be one of them,
 * or is not looked at where it was read in several statements, which may be of several blocks.
 */
export class Asker {
  readonly #url: string;
  readonly #truth: Truth;
  readonly stale: string[] = [];
  /** Questions whose answer did not come to its end. */
  readonly cut: string[] = [];
  asked = 0;
  /** Of how many the truth was one and the same, of how many it was one of several, and how many could not be told. */
  certain = 0;
  #changing = 0;
  #mixed = 0;
  #failed = 0;
  newest = 0;

  constructor(url: string, truth: Truth) {
    this.#url = url;
    this.#truth = truth;
  }

  async ask(question: Question): Promise<void> {
    const from = await this.#readHeight();
    const told = await this.#tell(question).catch((error: Error) => {
      this.cut.push(`${question.text}: ${error.cause ?? error}`);
      return null;
    });
    const upTo = await this.#readHeight();
    this.asked += 1;
    if (told === null || upTo - from > MOST_BLOCKS) {
      this.#failed += 1;
      return;
    }
    const truths = new Set(await Promise.all([from, upTo].map((height) => this.#truth(question, height))));
    // What is said at both ends need not be said between them.
    if (!truths.has(told))
      for (let height = from + 1; height < upTo; height += 1) truths.add(await this.#truth(question, height));
    if (truths.has('')) this.#failed += 1;
    else if (truths.has(told) && truths.size === 1) this.certain += 1;
    else if (truths.has(told) || (await this.#isNewer(question, told, upTo))) this.#changing += 1;
    else if (truths.size === 1) this.#complain(question, told, truths, `of blocks ${from} to ${upTo}`);
    else this.#mixed += 1;
  }

  /** Whether an answer is of a block that the gateway had not named yet: the database is ahead of what it names. */
  async #isNewer(question: Question, told: string, upTo: number): Promise<boolean> {
    await sleep(AHEAD_MS);
    for (let height = upTo + 1; height <= upTo + MOST_AHEAD; height += 1)
      if ((await this.#truth(question, height)) === told) return true;
    return false;
  }

  describe(): string {
    return `${this.asked} answers up to block ${this.newest}: ${this.certain} as all blocks say that they can be of, ${this.#changing} as one of these, ${this.#mixed} of several, ${this.#failed} that failed`;
  }

  #complain(question: Question, told: string, truths: ReadonlySet<string>, blocks: string): void {
    const [truth = ''] = truths;
    this.stale.push(`${question.text}\n${blocks}\nsays ${cut(told, truth)}\nnot  ${cut(truth, told)}`);
  }

  async #readHeight(): Promise<number> {
    const answer = await this.#fetch(HEAD);
    // What is not read would keep its connection.
    await answer.arrayBuffer();
    const height = Number(answer.headers.get('x-block-height'));
    this.newest = Math.max(this.newest, height);
    return height;
  }

  /** The answer; null where it is an error of a moment or of an operation. */
  async #tell(question: Question): Promise<string | null> {
    if (question.kind === 'address') {
      const answer = await this.#fetch(question.text);
      return answer.status >= 500 ? null : withoutBlock(await answer.text());
    }
    const answer = await this.#fetch('/graphql', operationOf(question));
    const { data, errors } = (await answer.json()) as { readonly data?: unknown; readonly errors?: unknown };
    return errors === undefined ? withoutBlock(JSON.stringify({ data })) : null;
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#url}${path}`, { signal: AbortSignal.timeout(HANG_MS), ...init });
  }
}

/** A request for an operation. */
export function operationOf({ text, variables }: Operation): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: text, variables }),
  };
}

/** The part of a text around where it is another than the other. */
function cut(text: string, other: string): string {
  let place = 0;
  while (place < text.length && text[place] === other[place]) place += 1;
  return `…${text.slice(Math.max(0, place - 60), place + 100)}…`;
}
