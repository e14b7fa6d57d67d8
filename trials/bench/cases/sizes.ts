import { once } from 'node:events';
import { connect } from 'node:net';
import type { BenchCase, Result } from '../bench.ts';
import { idOf } from '../database/rows.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { AnswerReader } from '../load/http-answers.ts';
import { type BenchRequest, encodeRequest, get } from '../load/request.ts';
import { count } from '../report/describe.ts';

const LIMIT_MS = 30_000;

/** The bytes on the wire of answers as browsers ask for them: head and body, compressed. */
export const sizes: BenchCase = {
  name: 'sizes',
  title: 'bytes of an answer, with its head',
  async run(bench) {
    const { url } = await bench.periscope();
    const rest = phraseRest(bench.size.rows);
    const questions = {
      'market-data': get(`/api/v2/market/data/${idOf('market', 0)}/latest`),
      row: rest({ deposit: 1 }),
      page: rest({ first: 20 }),
    } as const;
    const results: Result[] = [];
    for (const [name, request] of Object.entries(questions)) {
      const bytes = await countBytes(url, request);
      results.push({
        ...{ id: `${this.name}/${name}`, what: `${this.title}: ${name}`, figure: `${count(bytes)} bytes` },
        ...{ beside: '', value: bytes, unit: 'bytes', target: null, cpuUs: null, peerCpuUs: null },
        ...{ spread: 0, note: '' },
      });
    }
    return results;
  },
};

/** What comes on a connection of its own until the answer is there. */
async function countBytes(url: string, request: BenchRequest): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    let status = 0;
    const reader = new AnswerReader((answer) => {
      status = answer.status;
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.write(encodeRequest({ ...request, headers: { 'Accept-Encoding': 'gzip, deflate, br' } }, host));
    while (status === 0) await once(socket, 'data', { signal });
    if (status !== 200) throw new Error(`${url}${request.path} answers with ${status}.`);
    return socket.bytesRead;
  } finally {
    socket.destroy();
  }
}
