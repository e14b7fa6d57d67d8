import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { decimalOfDouble } from '../domain/decimals.ts';

/**
 * Protocol Buffers messages told as data: `message('Vote', { partyId: field(1, text), … })` gives a codec whose
 * TypeScript type follows from the fields. Reading skips fields that are not told, fills in the defaults of
 * proto3, and throws an Error that names the field when the bytes are not such a message. Where a singular
 * field comes twice, the last one counts, whole.
 */
export function message<F extends Fields>(name: string, fields: F): MessageCodec<MessageOf<F>> {
  const empty = Object.fromEntries(Object.entries(fields).map(([key, { initial }]) => [key, initial]));
  const places: (Place | undefined)[] = [];
  for (const [key, { readers }] of Object.entries(fields)) {
    for (const [number, reader] of readers) places[number] = { key, ...reader };
  }

  function readTo(reader: BinaryReader, end: number): MessageOf<F> {
    const value: Record<string, unknown> = { ...empty };
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const place = places[number];
      if (place === undefined) {
        reader.skip(wireType, number);
      } else {
        if (place.wireType !== wireType) {
          throw new WireError(`${name}.${place.key} has wire type ${wireType} instead of ${place.wireType}`);
        }
        value[place.key] = place.read(reader, value[place.key]);
      }
    }
    if (reader.pos > end) throw new WireError(`${name} is cut off within a field`);
    return value as MessageOf<F>;
  }

  function writeFields(writer: BinaryWriter, value: MessageOf<F>): void {
    for (const [key, { write }] of Object.entries(fields)) write(writer, value[key]);
  }

  return {
    wireType: WireType.LengthDelimited,
    initial: empty as MessageOf<F>,
    read(reader) {
      const length = reader.uint32();
      const end = reader.pos + length;
      if (end > reader.len) throw new WireError(`${name} is cut off`);
      return readTo(reader, end);
    },
    write(writer, value) {
      writer.fork();
      writeFields(writer, value);
      writer.join();
    },
    decode(bytes) {
      const reader = new BinaryReader(bytes, decodeText);
      return readTo(reader, reader.len);
    },
    encode(value) {
      const writer = new BinaryWriter();
      writeFields(writer, value);
      return writer.finish();
    },
  };
}

/** A field that has a value always: its type's default when it was not sent. */
export function field<T>(number: number, codec: Codec<T>): Field<T> {
  return {
    initial: codec.initial,
    readers: [[number, codec]],
    write(writer, value) {
      if (value !== codec.initial) writeTagged(writer, number, codec, value);
    },
  };
}

/** A field that may be absent: null then. Embedded messages are such fields, always. */
export function optional<T>(number: number, codec: Codec<T>): Field<T | null> {
  return {
    initial: null,
    readers: [[number, codec]],
    write(writer, value) {
      if (value !== null) writeTagged(writer, number, codec, value);
    },
  };
}

/** Far above any list of the network. An item can take two bytes of a record, and a hundred times that in memory. */
export const MAX_LIST_ITEMS = 100_000;

/** A list of texts or messages, in their order; one that is too long is an error. */
export function repeated<T>(number: number, codec: Codec<T>): Field<readonly T[]> {
  const initial: readonly T[] = [];
  // Every list but the shared empty one was made here, for the message being read, so it may grow in place.
  const read = (reader: BinaryReader, before: readonly T[]): readonly T[] => {
    const list = before === initial ? [] : (before as T[]);
    if (list.length === MAX_LIST_ITEMS) throw new WireError(`a list has more than ${MAX_LIST_ITEMS} items`);
    list.push(codec.read(reader));
    return list;
  };
  return {
    initial,
    readers: [[number, { wireType: codec.wireType, read }]],
    write(writer, values) {
      for (const value of values) writeTagged(writer, number, codec, value);
    },
  };
}

/** Several fields of which one is set at most: `{ name, value }` of the one that came last, or null. */
export function oneof<M extends Members>(members: M): Field<MemberOf<M> | null> {
  return {
    initial: null,
    readers: Object.entries(members).map(([name, { number, codec }]) => [
      number,
      { wireType: codec.wireType, read: (reader) => ({ name, value: codec.read(reader) }) as MemberOf<M> },
    ]),
    write(writer, member) {
      const chosen = member === null ? undefined : members[member.name];
      if (member !== null && chosen) writeTagged(writer, chosen.number, chosen.codec, member.value);
    },
  };
}

export function member<T>(number: number, codec: Codec<T>): Member<T> {
  return { number, codec };
}

/** Text, which must be valid UTF-8. */
export const text: Codec<string> = {
  wireType: WireType.LengthDelimited,
  initial: '',
  read: (reader) => reader.string(true),
  write: (writer, value) => writer.string(value),
};

export const int64: Codec<bigint> = {
  wireType: WireType.Varint,
  initial: 0n,
  read: (reader) => BigInt(reader.int64()),
  write: (writer, value) => writer.int64(value),
};

export const uint64: Codec<bigint> = {
  wireType: WireType.Varint,
  initial: 0n,
  read: (reader) => BigInt(reader.uint64()),
  write: (writer, value) => writer.uint64(value),
};

export const uint32: Codec<number> = {
  wireType: WireType.Varint,
  initial: 0,
  read: (reader) => reader.uint32(),
  write: (writer, value) => writer.uint32(value),
};

/** A double, told as the shortest decimal text that reads back as it. Infinities and NaN are errors. */
export const double: Codec<string> = {
  wireType: WireType.Bit64,
  initial: '0',
  read: (reader) => decimalOfDouble(reader.double()),
  write: (writer, value) => writer.double(Number(value)),
};

/** An enumeration, told by the documented names. A number without a name is an error that tells both. */
export function enumeration<Name extends string>(
  name: string,
  numbers: Readonly<Record<Name, number>>,
): Codec<Name> {
  const entries = Object.entries(numbers) as [Name, number][];
  const names = new Map(entries.map(([key, number]) => [number, key]));
  const nameOf = (number: number): Name => {
    const found = names.get(number);
    if (found === undefined) throw new WireError(`${name} has no number ${number}`);
    return found;
  };
  return {
    wireType: WireType.Varint,
    initial: nameOf(0),
    read: (reader) => nameOf(reader.int32()),
    write: (writer, value) => writer.int32(numbers[value]),
  };
}

/** Bytes that are not the message they should be. */
class WireError extends Error {
  override name = 'WireError';
}

/** How one kind of value is read and written, without its tag. */
export interface Codec<T> {
  readonly wireType: WireType;
  readonly initial: T;
  read(reader: BinaryReader): T;
  write(writer: BinaryWriter, value: T): void;
}

export interface MessageCodec<T> extends Codec<T> {
  decode(bytes: Uint8Array): T;
  encode(value: T): Uint8Array;
}

/** What a message codec reads. */
export type MessageType<C> = C extends Codec<infer T> ? T : never;

export interface Field<T> {
  readonly initial: T;
  readonly readers: readonly (readonly [number: number, FieldReader<T>])[];
  // Written as methods: a message holds fields of many types, and a method's parameter may be narrower.
  write(writer: BinaryWriter, value: T): void;
}

interface FieldReader<T> {
  readonly wireType: WireType;
  read(reader: BinaryReader, before: T): T;
}

interface Place extends FieldReader<unknown> {
  readonly key: string;
}

interface Member<T> {
  readonly number: number;
  readonly codec: Codec<T>;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type MessageOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };
type Members = Readonly<Record<string, Member<unknown>>>;
type MemberOf<M extends Members> = {
  [K in keyof M]: { readonly name: K; readonly value: M[K] extends Member<infer T> ? T : never };
}[keyof M];

function writeTagged<T>(writer: BinaryWriter, number: number, codec: Codec<T>, value: T): void {
  writer.tag(number, codec.wireType);
  codec.write(writer, value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
