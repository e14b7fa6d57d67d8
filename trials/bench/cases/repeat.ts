import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type BenchRequest, send } from '../load/request.ts';
import { measure } from '../load/rounds.ts';
import type { Figures } from '../measure/figures.ts';
import { type BenchServer, startPeer } from '../servers/start-server.ts';

/** The figures of Periscope and of node:http with the same bytes, asked the same thing again and again. */
export interface Repeated {
  readonly own: Figures;
  readonly peer: Figures;
}

/** As the load has it: without compression. */
export const PLAIN = { 'Accept-Encoding': 'identity' } as const;

export async function measureRepeated(bench: Bench, request: BenchRequest): Promise<Repeated> {
  const periscope = await bench.periscope();
  const { text, headers } = await send(periscope.url, { ...request, headers: PLAIN, status: 200 });
  await using peer = await startKnownBytes(text, { headers });
  const known = await send(peer.url, { ...request, headers: PLAIN, status: 200 });
  if (known.text !== text) throw new Error('node:http does not answer with the bytes that it was given.');
  const figures = await measure(
    bench,
    [
      { name: 'own', server: periscope, request: () => request },
      { name: 'peer', server: peer, request: () => request },
    ],
    'one',
  );
  return { own: figures.get('own') as Figures, peer: figures.get('peer') as Figures };
}

/** Starts node:http with a body that it knows, and the head that Periscope has for it, in one process or several. */
export async function startKnownBytes(
  body: string,
  { headers, workers = 1 }: { readonly headers: Headers; readonly workers?: number },
): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  try {
    const file = join(folder, 'body.json');
    writeFileSync(file, body);
    // What Node adds to every head, it adds there as well.
    const head = [...headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name));
    const headFile = join(folder, 'head.json');
    writeFileSync(headFile, JSON.stringify(Object.fromEntries(head)));
    chmodSync(folder, 0o755);
    return await startPeer('node-http', { BODY_FILE: file, HEAD_FILE: headFile, WORKERS: `${workers}` });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the table calls it. */
export const PEER = 'node:http, same bytes';
