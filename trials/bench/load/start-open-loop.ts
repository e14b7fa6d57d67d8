import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { OpenLoopOrder, OpenLoopReport, Times, Traffic, TrafficReport } from './open-loop.ts';
import { type BenchRequest, encodeRequest } from './request.ts';

/** Asks at steady rates from a process of its own, several kinds of requests at once. */
export interface OpenLoop extends AsyncDisposable {
  run(run: OpenLoopRun): Promise<ReadonlyMap<string, TrafficFigures>>;
}

export interface OpenLoopRun extends Pick<OpenLoopOrder, 'settleMs' | 'durationMs'> {
  readonly url: string;
  readonly traffic: readonly (Omit<Traffic, 'requests'> & { readonly requests: readonly BenchRequest[] })[];
}

export interface TrafficFigures extends TrafficReport {
  readonly good: Times;
  readonly refused: Times;
  readonly goodPerSecond: number;
}

const NONE: Times = { count: 0, p50: 0, p99: 0, max: 0 };

export function startOpenLoop(): OpenLoop {
  const child = fork(join(import.meta.dirname, 'open-loop.ts'), { serialization: 'advanced' });
  return {
    async run({ url, traffic, ...rest }) {
      const { hostname, port, host } = new URL(url);
      const order: OpenLoopOrder = {
        host: hostname,
        port: Number(port),
        traffic: traffic.map((one) => ({
          ...one,
          requests: one.requests.map((request) => encodeRequest(request, host)),
        })),
        ...rest,
      };
      child.send(order);
      const [report] = (await once(child, 'message')) as [OpenLoopReport];
      if ('failure' in report) throw new Error(`The load on ${url} failed: ${report.failure}.`);
      return new Map(report.map((one) => [one.name, figuresOf(one)]));
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function figuresOf(report: TrafficReport): TrafficFigures {
  const { 200: good = NONE, 503: refused = NONE } = report.statuses;
  return { ...report, good, refused, goodPerSecond: good.count / report.seconds };
}
