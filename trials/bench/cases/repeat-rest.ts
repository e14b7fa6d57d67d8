import type { BenchCase } from '../bench.ts';
import { get } from '../load/request.ts';
import { describeFigures, ratioOf } from '../report/describe.ts';
import { measureRepeated, PEER } from './repeat.ts';

export const repeatRest: BenchCase = {
  name: 'repeat-rest',
  title: 'REST again, nothing that it read has changed',
  async run(bench) {
    const { own, peer } = await measureRepeated(bench, get('/api/v2/deposits?pagination.first=20'));
    const common = {
      what: this.title,
      figure: describeFigures(own),
      beside: `${PEER}: ${describeFigures(peer)}`,
      spread: own.spread,
    };
    return [
      { id: this.name, ...common, ...ratioOf(own, peer), unit: 'x node:http', target: { least: 0.7 } },
      {
        id: `${this.name}/cpu`,
        ...common,
        value: own.cpuUs / peer.cpuUs,
        cpuUs: null,
        peerCpuUs: null,
        note: '',
        unit: "x node:http's CPU",
        target: { most: 1.5 },
      },
    ];
  },
};
