import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOrder, LoadReport } from './loader.ts';
import { type BenchRequest, encodeRequest } from './request.ts';

/** Asks servers from a process of its own, so that it takes nothing of theirs. */
export interface Loader extends AsyncDisposable {
  readonly pid: number;
  run(order: LoadRun): Promise<Exclude<LoadReport, { failure: string }>>;
}

export interface LoadRun {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly repeat: boolean;
  readonly connections: number;
  readonly durationMs: number;
  readonly least?: number;
}

export function startLoader(): Loader {
  const child = fork(join(import.meta.dirname, 'loader.ts'), { serialization: 'advanced' });
  return {
    pid: child.pid as number,
    async run({ url, requests, ...rest }) {
      const { hostname, port, host } = new URL(url);
      const order: LoadOrder = {
        host: hostname,
        port: Number(port),
        requests: requests.map((request) => encodeRequest(request, host)),
        status: requests[0]?.status ?? 200,
        least: 0,
        ...rest,
      };
      child.send(order);
      const [report] = (await once(child, 'message')) as [LoadReport];
      if ('failure' in report)
        throw new Error(`The load on ${url}${requests[0]?.path} failed: ${report.failure}.`);
      return report;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
