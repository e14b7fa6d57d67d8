import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Bench, BenchCase, Result } from '../bench.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { get, send } from '../load/request.ts';
import { type Contender, measure } from '../load/rounds.ts';
import { type Figures, median } from '../measure/figures.ts';
import { describeFigures, describeUs } from '../report/describe.ts';

const FIRST = 1_000;
const TIMES = 20;

/** Each as fast as it can, which is what a gateway chooses. */
const ENCODINGS = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: constants.Z_BEST_SPEED }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const;
type Encoding = keyof typeof ENCODINGS;

export const compressed: BenchCase = {
  name: 'compressed-1000',
  title: '1,000 deposits, cold',
  async run(bench) {
    const contenders = await contendersOf(bench);
    const [plain] = contenders as [Contender];
    const { text } = await send(plain.server.url, plain.request(0));
    for (const { server, request } of contenders) {
      const answer = await send(server.url, request(0));
      if (answer.text !== text) throw new Error('A compressed page says something else than the page.');
    }
    const figures = await measure(bench, contenders, { different: bench.size.rows.deposits - FIRST });
    const page = figures.get('identity') as Figures;
    return (Object.keys(ENCODINGS) as Encoding[]).map((encoding): Result => {
      const own = figures.get(encoding) as Figures;
      const onceUs = measureOnce(encoding, Buffer.from(text));
      return {
        id: `${this.name}/${encoding}`,
        what: `${this.title}, ${encoding === 'br' ? 'brotli' : encoding}`,
        figure: describeFigures(own),
        beside: `the page ${describeUs(page.cpuUs)}, compressing its bytes once ${describeUs(onceUs)}`,
        value: own.cpuUs / (page.cpuUs + onceUs),
        unit: 'x the CPU of both',
        target: { most: 1.1 },
        cpuUs: own.cpuUs,
        peerCpuUs: page.cpuUs,
        spread: own.spread,
        note: '',
      };
    });
  },
};

async function contendersOf(bench: Bench): Promise<readonly Contender[]> {
  const server = await bench.periscope();
  const phrase = phraseRest(bench.size.rows);
  return ['identity', ...Object.keys(ENCODINGS)].map((encoding) => ({
    name: encoding,
    server,
    request: (number) =>
      get(phrase({ first: FIRST, after: number + FIRST }).path, { 'Accept-Encoding': encoding }),
  }));
}

/** The CPU that compressing takes by itself. */
function measureOnce(encoding: Encoding, bytes: Buffer): number {
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage();
    ENCODINGS[encoding](bytes);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return median(times);
}
