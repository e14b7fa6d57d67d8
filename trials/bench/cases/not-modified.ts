import type { BenchCase } from '../bench.ts';
import { get, send } from '../load/request.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import { measureRepeated, PLAIN } from './repeat.ts';

const PATH = '/api/v2/deposits?pagination.first=20';

export const notModified: BenchCase = {
  name: 'not-modified',
  title: 'If-None-Match, nothing has changed: 304',
  async run(bench) {
    const { headers } = await send((await bench.periscope()).url, get(PATH, PLAIN));
    const etag = headers.get('ETag');
    const result = {
      id: this.name,
      what: this.title,
      unit: 'x node:http',
      target: { least: 0.8 },
    } as const;
    if (etag === null) {
      bench.say(`${this.name}: skipped, Periscope gives no ETag.`);
      const nothing = { figure: '-', beside: '-', value: null, cpuUs: null, peerCpuUs: null, spread: 0 };
      return [{ ...result, ...nothing, note: 'Periscope gives no ETag' }];
    }
    const conditional = (version: string) => ({ ...get(PATH, { 'If-None-Match': version }), status: 304 });
    const { own, peer } = await measureRepeated(bench, conditional(etag));
    return [
      {
        ...result,
        figure: describeFigures(own),
        beside: `node:http: ${describeFigures(peer)}`,
        ...ratioOf(own, peer),
      },
    ];
  },
};
