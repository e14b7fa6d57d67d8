import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decimalOfDouble } from '../../domain/decimals.ts';
import { MAX_ENUMERATION_NUMBER } from '../../domain/enumeration.ts';
import { FieldError } from '../values.ts';

/**
 * Reads a message as `fromBinary` does, and throws an Error that names the field where that one would take damaged bytes
 * for something else: a field of another wire type, an embedded message whose fields pass its end, a number that
 * no enumeration has, a list that would fill the memory. Fields that are not declared are skipped;
 * those that are not reserved either, which no known release has, are told.
 *
 * Values are read by the library, fields are put together here: checking the bytes first and giving them to `fromBinary`
 * then walks them twice, which takes twice as long.
 */
export function strictReader<Schema extends DescMessage>(
  schema: Schema,
  /** The messages, among those within it, that keep the number of the last of their reserved fields, in `$unknown`. */
  numbered: readonly DescMessage[] = [],
): (bytes: Uint8Array) => StrictRead<MessageShape<Schema>> {
  const described = describe(schema, numbered);
  return (bytes) => {
    const reader = new NotingReader(bytes);
    const message = read(reader, reader.len, described, described.create()) as MessageShape<Schema>;
    return { message, unknownFields: reader.unknownFields };
  };
}

export interface StrictRead<Message> {
  readonly message: Message;
  /** The fields that are neither declared nor reserved, as `Market.25`; undefined where there are none. */
  readonly unknownFields: readonly string[] | undefined;
}

/** Notes what is passed over. */
class NotingReader extends BinaryReader {
  unknownFields: string[] | undefined;

  note(field: string): void {
    this.unknownFields ??= [];
    this.unknownFields.push(field);
  }
}

/** Far above any list of the network. An item can take two bytes of a record, and a hundred times that in memory. */
export const MAX_LIST_ITEMS = 100_000;

type Message = Record<string, unknown>;

interface MessageFields {
  readonly name: string;
  /** By their numbers. */
  readonly fields: readonly (Field | undefined)[];
  /** The numbers of fields that known releases have and nobody reads: from a start on, before an end. */
  readonly reserved: readonly { readonly start: number; readonly end: number }[];
  readonly keepsReserved: boolean;
  /** A message of which nothing was sent. */
  create(): Message;
}

interface Field {
  readonly name: string;
  readonly wireType: WireType;
  readonly isList: boolean;
  /** The group of fields of which one is there, where it is of one. */
  readonly choice: string | null;
  /** Reads a value; `before` is the one that was sent already, if any: parts of a message are put together. */
  readonly read: (reader: NotingReader, before: unknown) => unknown;
  /** The same as an older release sends it, where that is of another type. */
  readonly older?: Field;
}

function read(
  reader: NotingReader,
  end: number,
  { name, fields, reserved, keepsReserved }: MessageFields,
  into: Message,
): Message {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const declared = fields[number];
    if (declared === undefined) {
      reader.skip(wireType, number);
      if (!reserved.some(({ start, end }) => number >= start && number < end))
        reader.note(`${name}.${number}`);
      else if (keepsReserved) into['$unknown'] = [{ no: number, wireType, data: NOTHING }];
      continue;
    }
    const field = declared.wireType === wireType ? declared : declared.older;
    if (field?.wireType !== wireType) {
      const complaint = `has wire type ${wireType} instead of ${declared.wireType}`;
      throw new WireError(`${name}.${declared.name} ${complaint}`, `${name}.${declared.name}`);
    }
    try {
      readField(reader, field, into);
    } catch (error) {
      throw named(error, `${name}.${field.name}`);
    }
  }
  if (reader.pos > end) throw new WireError(`${name} is cut off within a field`);
  return into;
}

const NOTHING = new Uint8Array();

function readField(reader: NotingReader, { name, isList, choice, read }: Field, into: Message): void {
  if (isList) {
    const list = into[name] as unknown[];
    if (list.length === MAX_LIST_ITEMS) throw new WireError(`a list has more than ${MAX_LIST_ITEMS} items`);
    list.push(read(reader, undefined));
  } else if (choice === null) {
    into[name] = read(reader, into[name]);
  } else {
    const before = into[choice] as { readonly case?: string; readonly value?: unknown };
    into[choice] = { case: name, value: read(reader, before.case === name ? before.value : undefined) };
  }
}

/** What releases before 0.66 and before 0.65 have in the place of a field, by its name: another type, of the same number. */
const OLDER_TYPES: Readonly<Record<string, Pick<Field, 'wireType' | 'read'>>> = {
  'LiquidityMonitoringParameters.triggering_ratio': {
    wireType: WireType.Bit64,
    read: (reader) => decimalOfDouble(reader.double()),
  },
  // How many decimals settlement data has, which nobody reads.
  'Future.cap': { wireType: WireType.Varint, read: (reader) => void reader.skip(WireType.Varint) },
};

/** The messages that are read hold none of their own kind, so that this ends. */
function describe(schema: DescMessage, numbered: readonly DescMessage[]): MessageFields {
  const places: (Field | undefined)[] = [];
  for (const field of schema.fields) {
    const declared: Field = {
      name: field.localName,
      wireType: wireTypeOf(field),
      isList: field.fieldKind === 'list',
      choice: field.oneof?.localName ?? null,
      read: readerOf(field, numbered),
    };
    const older = OLDER_TYPES[`${schema.name}.${field.name}`];
    places[field.number] = older === undefined ? declared : { ...declared, older: { ...declared, ...older } };
  }
  const defaults: Message = { ...create(schema) };
  const lists = schema.fields.flatMap((field) => (field.fieldKind === 'list' ? [field.localName] : []));
  return {
    name: schema.name,
    fields: places,
    reserved: schema.proto.reservedRange,
    keepsReserved: numbered.includes(schema),
    create() {
      const message = { ...defaults };
      for (const list of lists) message[list] = [];
      return message;
    },
  };
}

function readerOf(field: DescField, numbered: readonly DescMessage[]): Field['read'] {
  if (field.message) return messageReader(describe(field.message, numbered));
  switch (field.scalar) {
    case ScalarType.STRING:
      return (reader) => reader.string(true);
    case ScalarType.BYTES:
      return (reader) => reader.bytes();
    case ScalarType.BOOL:
      return (reader) => reader.bool();
    case ScalarType.DOUBLE:
      return (reader) => reader.double();
    case ScalarType.INT64:
      return (reader) => reader.int64();
    case ScalarType.UINT64:
      return (reader) => reader.uint64();
    case ScalarType.INT32:
      return numberReader(field);
    default:
      return (reader) => reader.uint32();
  }
}

function messageReader(message: MessageFields): Field['read'] {
  return (reader, before) => {
    const length = reader.uint32();
    const end = reader.pos + length;
    if (end > reader.len) throw new WireError(`${message.name} is cut off`);
    return read(reader, end, message, (before as Message | undefined) ?? message.create());
  };
}

/**
 * Reads the number of an enumeration, whatever it is: a newer release of the network has numbers that nobody here knows.
 * A negative one, and one of more than 31 bits, no release has: the bytes are damaged.
 */
function numberReader({ parent, localName }: DescField): Field['read'] {
  return (reader) => {
    const start = reader.pos;
    const number = reader.int32();
    // The reader drops the bits above the 32nd, which only as many bytes hold.
    if (number >= 0 && reader.pos - start < BYTES_OF_32_BITS) return number;
    reader.pos = start;
    const sent = wholeVarint(reader.skip(WireType.Varint));
    if (sent >= 0n && sent <= BigInt(MAX_ENUMERATION_NUMBER)) return Number(sent);
    throw new WireError(`${parent.name}.${localName} is ${sent}, which no enumeration has`, null, `${sent}`);
  };
}

const BYTES_OF_32_BITS = 5;

/** All that a varint says: ten bytes hold 70 bits, of which the reader drops those above the 64th. */
function wholeVarint(bytes: Uint8Array): bigint {
  const bits = bytes.reduceRight((high, byte) => (high << 7n) | BigInt(byte & 0x7f), 0n);
  return bits < 2n ** 64n ? BigInt.asIntN(64, bits) : bits;
}

/** Lists of numbers, which can be packed, and maps are not among what is read. */
function wireTypeOf(field: DescField): WireType {
  if (field.message) return WireType.LengthDelimited;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
      return WireType.Bit64;
    case ScalarType.BOOL:
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return WireType.Varint;
    default:
      throw new Error(`${field} is of a type that is not read`);
  }
}

/** What the library or a reader threw of a field, with the name of the innermost one. */
function named(error: unknown, field: string): WireError {
  if (!(error instanceof WireError)) return new WireError(`${field}: ${(error as Error).message}`, field);
  return error.field === null ? new WireError(error.message, field, error.value) : error;
}

/** Bytes that are not the message they should be. */
class WireError extends FieldError {
  override name = 'WireError';
}
