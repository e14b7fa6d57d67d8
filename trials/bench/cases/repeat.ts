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

export async function measureRepeated(
  bench: Bench,
  request: BenchRequest,
  peerRequest: BenchRequest = request,
): Promise<Repeated> {
  const periscope = await bench.periscope();
  const { text } = await send(periscope.url, { ...request, headers: {}, status: 200 });
  await using peer = await startKnownBytes(text);
  const known = await send(peer.url, { ...peerRequest, headers: {}, status: 200 });
  if (known.text !== text) throw new Error('node:http does not answer with the bytes that it was given.');
  const figures = await measure(
    bench,
    [
      { name: 'own', server: periscope, request: () => request },
      { name: 'peer', server: peer, request: () => peerRequest },
    ],
    'one',
  );
  return { own: figures.get('own') as Figures, peer: figures.get('peer') as Figures };
}

/** Starts node:http with a body that it knows, in one process or several. */
export async function startKnownBytes(body: string, workers = 1): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  try {
    const file = join(folder, 'body.json');
    writeFileSync(file, body);
    chmodSync(folder, 0o755);
    return await startPeer('node-http', { BODY_FILE: file, WORKERS: `${workers}` });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the table calls it. */
export const PEER = 'node:http, same bytes';
