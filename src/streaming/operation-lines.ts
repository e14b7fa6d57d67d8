import type { SharedResult } from '../engine/run/subscribe.ts';
import type { OperationForm } from './operation-bodies.ts';

/** A stream as lines of JSON, a result each, for programs that read bodies line by line. An empty line is a heartbeat. */
export const OPERATION_LINES: OperationForm = {
  accepted: /application\/(?:x-ndjson|jsonl)/i,
  contentType: 'application/x-ndjson',
  heartbeat: Buffer.from('\n'),
  beginning: Buffer.from('\n'),
  encode: encodeLine,
  ending: (error) => (error === null ? Buffer.alloc(0) : lineOf(JSON.stringify({ errors: [error] }))),
};

const lines = new WeakMap<SharedResult, Buffer>();

function encodeLine(result: SharedResult): Buffer {
  const known = lines.get(result) ?? lineOf(result.encode().toString());
  lines.set(result, known);
  return known;
}

function lineOf(json: string): Buffer {
  return Buffer.from(`${json}\n`);
}
