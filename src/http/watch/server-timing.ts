import type { Step, Steps } from '../../steps.ts';
import type { WatchRequest } from './request-steps.ts';

/** With any value: the answer says in `Server-Timing` what took how long. */
const TIMING_HEADER = 'x-server-timing';

/** Has those requests timed that ask for it. */
export const timeRequest: WatchRequest = (request, response) => {
  if (request.headers[TIMING_HEADER] === undefined) return null;
  const timing = new Timing();
  const { writeHead } = response;
  // With a header set a head is not written past Node, and so passes here, whoever writes it.
  response.setHeader('Server-Timing', '');
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (!response.headersSent) response.setHeader('Server-Timing', timing.toString());
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  return timing;
};

/** What the steps are called there. */
const NAMES: Readonly<Record<Step, string>> = {
  admission: 'wait',
  operation: 'execute',
  statement: 'database',
};

/** Adds up how long the steps of one request take. Of statements that ran side by side the sum is told, and their number. */
class Timing implements Steps {
  #isKept = false;
  readonly #start = performance.now();
  readonly #sums = new Map<Step, { ms: number; count: number }>();
  /** When the last operation ended. */
  #executed: number | null = null;

  begin(step: Step): () => void {
    const start = performance.now();
    return () => {
      const now = performance.now();
      const sum = this.#sums.get(step) ?? { ms: 0, count: 0 };
      sum.ms += now - start;
      sum.count += 1;
      this.#sums.set(step, sum);
      if (step === 'operation') this.#executed = now;
    };
  }

  noteKept(): void {
    this.#isKept = true;
  }

  toString(): string {
    const now = performance.now();
    const parts = this.#isKept ? ['kept'] : [];
    for (const [step, { ms, count }] of this.#sums) {
      const many = step === 'statement' ? `;desc="${count}"` : '';
      parts.push(`${NAMES[step]}${many};dur=${round(ms)}`);
    }
    if (this.#executed !== null) parts.push(`write;dur=${round(now - this.#executed)}`);
    return [...parts, `total;dur=${round(now - this.#start)}`].join(', ');
  }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
