import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { RecordCutter } from '../../src/ingest/frames.ts';

/** A message whose definition the gateway does not have: the fields of plain numbers and bytes, by their numbers, the last of each. */
export type RawMessage = ReadonlyMap<number, bigint | Uint8Array>;

/** The events of a packed recording: which field of the envelope each is, and its message. */
export function* readRawEvents(path: string): Generator<readonly [kind: number, message: RawMessage]> {
  for (const { payload } of new RecordCutter().cut(gunzipSync(readFileSync(path)))) {
    for (const [kind, value] of readRawMessage(payload)) {
      if (kind > 100 && typeof value !== 'bigint') yield [kind, readRawMessage(value)];
    }
  }
}

function readRawMessage(bytes: Uint8Array): RawMessage {
  const reader = new BinaryReader(bytes);
  const message = new Map<number, bigint | Uint8Array>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (type === WireType.Varint) message.set(field, BigInt(reader.int64()));
    else if (type === WireType.LengthDelimited) message.set(field, reader.bytes());
    else reader.skip(type, field);
  }
  return message;
}

/** Of a field that is text; empty where it is not there. */
export function textOf(message: RawMessage, field: number): string {
  const value = message.get(field);
  return value instanceof Uint8Array ? Buffer.from(value).toString() : '';
}

/** Of a field that is a number; zero where it is not there. */
export function numberOf(message: RawMessage, field: number): bigint {
  const value = message.get(field);
  return typeof value === 'bigint' ? value : 0n;
}

/** Of a field that is a message; empty where it is not there. */
export function messageOf(message: RawMessage, field: number): RawMessage {
  const value = message.get(field);
  return value instanceof Uint8Array ? readRawMessage(value) : new Map();
}
