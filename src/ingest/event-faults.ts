import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What is wrong with one event, apart from the words. */
export interface EventFault {
  /** What kind of event it is, as in `market updated`; by its number where that is all there is. */
  readonly kind: string;
  /** The event as a message names it; null where its place says as much, as with lines of JSON. */
  readonly title: string | null;
  /** The field that cannot be taken, and the value or number in it; null where it is no single one. */
  readonly field: string | null;
  readonly value: string | null;
  /** Whether no more than this event is damaged, so that it may be passed over: its envelope says whose and what it is. */
  readonly isContained: boolean;
}

/** An event whose bytes or values cannot be taken. The message says what is wrong with it, without its title. */
export class EventError extends Error {
  override name = 'EventError';
  readonly fault: EventFault;
  /** The chain that the event is of; null where its envelope does not say. */
  readonly chainId: string | null;

  constructor(
    message: string,
    options: { readonly fault: EventFault; readonly chainId: string | null; readonly cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.fault = options.fault;
    this.chainId = options.chainId;
  }
}

/** What the bytes of an event that cannot be read say of themselves nevertheless. */
export interface ReadableHead {
  readonly id: string;
  readonly type: number;
  readonly version: number;
  readonly chainId: string;
  /** The numbers of the fields that hold what happened: of one, where the envelope is whole. */
  readonly held: readonly number[];
}

/** Fields below it are the envelope's own. */
const FIRST_HELD = 100;

/** Reads the envelope around what it holds; null where that is not possible. */
export function readAroundPayload(bytes: Uint8Array): ReadableHead | null {
  const texts: Record<number, string> = {};
  const numbers: Record<number, number> = {};
  const held: number[] = [];
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if ((number === 1 || number === 5) && wireType === WireType.LengthDelimited) {
        texts[number] = reader.string(true);
      } else if ((number === 3 || number === 4) && wireType === WireType.Varint) {
        numbers[number] = reader.uint32();
      } else {
        if (number >= FIRST_HELD) held.push(number);
        reader.skip(wireType, number);
      }
    }
    if (reader.pos > reader.len) return null;
  } catch {
    return null;
  }
  const { 1: id = '', 5: chainId = '' } = texts;
  const { 3: type = 0, 4: version = 0 } = numbers;
  return { id, type, version, chainId, held };
}
