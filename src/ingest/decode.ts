import { complaintAboutId } from '../domain/ids.ts';
import { EventError, type ReadableHead, readAroundPayload } from './event-faults.ts';
import type { KeptEvent, NetworkEvent } from './events.ts';
import { type KeptPayload, nouns } from './nouns/index.ts';
import { type BusEvent, BusEventSchema } from './protocol/generated/bus-event_pb.ts';
import { BatchProposalTermsChangeSchema, ProposalTermsSchema } from './protocol/generated/proposals_pb.ts';
import type { PayloadName, PayloadOf } from './protocol/payloads.ts';
import { strictReader } from './protocol/strict.ts';
import { exactText, FieldError } from './values.ts';

/** The one version of the envelope that the network speaks at release 0.71. */
const ENVELOPE_VERSION = 1;

/** The bytes of one event as the network sends it. Throws an Error that says what is wrong with them. */
export const readBusEvent = strictReader(BusEventSchema, [
  ProposalTermsSchema,
  BatchProposalTermsChangeSchema,
]);

/** An event in our terms, and the chain that it is of. */
export interface DecodedEvent {
  readonly chainId: string;
  readonly event: NetworkEvent;
  /** The fields that no known release has, as `Market.25`; undefined where there are none. */
  readonly unknownFields?: readonly string[] | undefined;
}

/** Reads the bytes of one event. Throws an EventError where they are no event, or hold what cannot be kept. */
export type DecodeEvent = (bytes: Uint8Array) => DecodedEvent;

/**
 * One event of the network as its core sends it (the bytes of a BusEvent), in our terms, with the chain that it
 * is of. Throws an EventError that says which event it is and what is wrong when the bytes are no such event or hold a
 * value that cannot be kept; kinds of events that the gateway does not keep come out as `other`, unread.
 */
export const decodeEvent: DecodeEvent = (bytes) => {
  try {
    const { message: envelope, unknownFields } = readBusEvent(bytes);
    checkEnvelope(envelope);
    const { case: name, value } = envelope.event;
    const reader = payloads.get(name ?? '');
    const event: NetworkEvent = reader ? reader.read(value as never) : { type: 'other', kind: envelope.type };
    return { chainId: exactText('chainId', envelope.chainId), event, unknownFields };
  } catch (error) {
    throw describeFault(bytes, error);
  }
};

interface PayloadReader<Message> {
  /** The number that the envelope announces it by. */
  readonly type: number;
  read(message: Message): NetworkEvent;
}

/** The events that are of no noun. */
const boundaries: { readonly [Name in Exclude<PayloadName, KeptPayload>]: PayloadReader<PayloadOf<Name>> } = {
  beginBlock: {
    type: 49,
    read: ({ height, timestamp, hash }) => ({
      type: 'beginBlock',
      height: Number(height),
      timestamp,
      hash: exactText('hash', hash),
    }),
  },
  endBlock: { type: 50, read: ({ height }) => ({ type: 'endBlock', height: Number(height) }) },
  protocolUpgradeStarted: { type: 51, read: () => ({ type: 'upgradeStarted' }) },
};

const kept = Object.entries(nouns).flatMap(([type, noun]) =>
  Object.entries(noun.events).map(([name, number]) => {
    const eventOf = (row: unknown) => ({ type, row }) as KeptEvent;
    const read = (message: never): NetworkEvent => {
      const row = noun.fromMessage(message);
      return Array.isArray(row) ? { type: 'several', events: row.map(eventOf) } : eventOf(row);
    };
    return [name, { type: number, read }] as const;
  }),
);

/** Every payload that the protocol declares. The type of `boundaries` asks for those that no noun takes. */
const payloads = new Map<string, PayloadReader<never>>([...Object.entries(boundaries), ...kept]);

/** The `type` by which the envelope announces each payload. */
export const eventTypes = Object.fromEntries(
  [...payloads].map(([name, { type }]) => [name, type]),
) as Readonly<Record<PayloadName, number>>;

const namesByType = new Map(Object.entries(eventTypes).map(([name, type]) => [type, name]));

function checkEnvelope({ version, chainId, type, event }: BusEvent): void {
  if (version !== ENVELOPE_VERSION) {
    throw new Error(`the event has version ${version}; only ${ENVELOPE_VERSION} is known`);
  }
  if (chainId === '') throw new Error('the event names no chain');
  const announced = namesByType.get(type);
  if (announced !== event.case) {
    throw new Error(
      `the event is announced as ${announced ?? `type ${type}`} but holds ${event.case ?? 'none'}`,
    );
  }
}

/** The error of an event that cannot be taken, with what its envelope says of it. */
function describeFault(bytes: Uint8Array, cause: unknown): EventError {
  const head = readAroundPayload(bytes);
  const { field, value } = cause instanceof FieldError ? cause : { field: null, value: null };
  const kind = head === null ? 'unknown' : nameKind(head.type);
  const fault = { kind, title: nameEvent(kind, head), field, value, isContained: isContained(head) };
  const message = cause instanceof Error ? cause.message : String(cause);
  return new EventError(message, { fault, chainId: head?.chainId ?? null, cause });
}

/** As in `market updated`. */
function nameKind(type: number): string {
  const name = namesByType.get(type);
  return name === undefined ? `type ${type}` : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function nameEvent(kind: string, head: ReadableHead | null): string {
  if (head === null) return 'event of an unknown kind';
  const number = kind.startsWith('type ') ? [] : [`type ${head.type}`];
  const marks = [...number, ...(/^[\w-]{1,64}$/.test(head.id) ? [`id ${head.id}`] : [])];
  return `event ${kind}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
}

/** Whether nothing but what one event changes can be damaged: where blocks begin and end, nobody can tell without it. */
function isContained(head: ReadableHead | null): boolean {
  if (head === null || head.version !== ENVELOPE_VERSION) return false;
  if (head.chainId === '' || complaintAboutId(head.chainId) !== null) return false;
  const name = namesByType.get(head.type);
  if (name === undefined || name in boundaries) return false;
  return head.held.length === 1 && head.held[0] === BusEventSchema.field[name as PayloadName].number;
}
