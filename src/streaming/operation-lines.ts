import { encodeOnce, type OperationForm } from './operation-bodies.ts';

/** A stream as lines of JSON, a result each, for programs that read bodies line by line. An empty line is a heartbeat. */
export const OPERATION_LINES: OperationForm = {
  accepted: /application\/(?:x-ndjson|jsonl)/i,
  contentType: 'application/x-ndjson',
  heartbeat: Buffer.from('\n'),
  beginning: Buffer.from('\n'),
  encode: encodeOnce((result) => lineOf(result.encode().toString())),
  ending: (error) => (error === null ? Buffer.alloc(0) : lineOf(JSON.stringify({ errors: [error] }))),
};

function lineOf(json: string): Buffer {
  return Buffer.from(`${json}\n`);
}
