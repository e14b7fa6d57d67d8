import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { frameRecord, RecordCutter } from '../../src/ingest/frames.ts';
import { BusEventSchema } from '../../src/ingest/protocol/generated/bus-event_pb.ts';

/** How far a release that nobody knows has moved each number of an enumeration. */
export const MOVED_BY = 1000;
/** Kinds of events and fields that it has besides. */
const NEW_KIND = { type: 250, field: 900 };
const NEW_FIELDS = [901, 902] as const;

/**
 * A recording (unpacked, with sequence numbers) as a release of the network that nobody knows yet would have written it:
 * every number of an enumeration is one without a name, every message has a number and a text that no release has, and
 * behind each event stands one of a kind that no release has.
 */
export function writeAsNextRelease(recording: Uint8Array): Buffer {
  const cutter = new RecordCutter();
  const records: Uint8Array[] = [];
  let sequence = 0n;
  const add = (payload: Uint8Array) => records.push(frameRecord(payload, sequence++));
  for (const { payload } of cutter.cut(recording)) {
    const isInBlock = new BinaryReader(payload);
    add(move(payload, BusEventSchema));
    if (!isEndOfBlock(isInBlock)) add(newKindAfter(payload));
  }
  cutter.end();
  return Buffer.concat(records);
}

function move(bytes: Uint8Array, schema: DescMessage): Uint8Array {
  const reader = new BinaryReader(bytes);
  const writer = new BinaryWriter();
  const fields = new Map(schema.fields.map((field) => [field.number, field]));
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = fields.get(number);
    if (field?.message) {
      writer.tag(number, wireType).bytes(move(reader.bytes(), field.message));
    } else if (field?.scalar === ScalarType.INT32) {
      writer.tag(number, wireType).int32(reader.int32() + MOVED_BY);
    } else {
      writer.tag(number, wireType).raw(reader.skip(wireType, number));
    }
  }
  writer.tag(NEW_FIELDS[0], WireType.Varint).int32(1);
  writer.tag(NEW_FIELDS[1], WireType.LengthDelimited).string('new');
  return writer.finish();
}

/** An event with the envelope of another, of a kind that nobody knows. */
function newKindAfter(payload: Uint8Array): Uint8Array {
  const reader = new BinaryReader(payload);
  const writer = new BinaryWriter();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const value = reader.skip(wireType, number);
    if (number === TYPE) writer.tag(TYPE, WireType.Varint).uint32(NEW_KIND.type);
    else if (number < FIRST_PAYLOAD) writer.tag(number, wireType).raw(value);
  }
  writer.tag(NEW_KIND.field, WireType.LengthDelimited).bytes(new Uint8Array([8, 1]));
  return writer.finish();
}

function isEndOfBlock(reader: BinaryReader): boolean {
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === END_BLOCK) return true;
    reader.skip(wireType, number);
  }
  return false;
}

/** The envelope's number for the kind of an event, and the first of the payloads. */
const TYPE = 3;
const FIRST_PAYLOAD = 101;
const END_BLOCK = 149;
