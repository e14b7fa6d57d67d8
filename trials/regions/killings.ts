import type { Failure } from '../replicas/mixed-asker.ts';

/** For how long after a process was killed, or was back, a request that was on it may be told so. */
const NOTICED_MS = 2_000;
/** What else was killed around a failure is told with it. */
const NEAR_MS = 10_000;

interface Killing {
  /** As the proxy calls it; null where that is the proxy itself. */
  readonly gateway: string | null;
  /** What requests may fail for; null where that is anything. */
  readonly only: RegExp | null;
  readonly from: number;
  until: number;
}

/** When processes that have requests on them were killed. */
export class Killings {
  readonly #killings: Killing[] = [];

  /** A gateway, one of its workers, or the proxy (null) is killed now. What is given is called when it takes requests again. */
  begin(gateway: string | null, only: RegExp | null = null): () => void {
    const killing = { gateway, only, from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#killings.push(killing);
    return () => {
      killing.until = performance.now() + NOTICED_MS;
    };
  }

  /**
   * Why requests failed that were not on a process that was killed then, each reason once. The proxy does not always say whose
   * connection it closed: such a request may have been on any that was killed.
   */
  explainNot(failures: readonly Failure[]): readonly string[] {
    const others = failures.filter(({ from, to, gateway, reason }) => {
      const isOf = (one: Killing) =>
        (gateway === null || one.gateway === gateway) &&
        from <= one.until &&
        to >= one.from &&
        (one.only?.test(reason) ?? true);
      return !this.#killings.some(isOf);
    });
    return [...new Set(others.map((failure) => this.#describe(failure)))];
  }

  #describe({ from, to, gateway, reason }: Failure): string {
    const near = this.#killings.filter((one) => one.from <= to + NEAR_MS && one.from >= from - NEAR_MS);
    const names = near.map((one) => `${one.gateway ?? 'the proxy'} ${Math.round(from - one.from)} ms before`);
    return `${gateway ?? 'nobody'}, within ${Math.round(to - from)} ms: ${reason} (killed: ${names.join(', ')})`;
  }
}
