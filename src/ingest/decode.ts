import type { KeptEvent, NetworkEvent } from './events.ts';
import { type KeptPayload, nouns } from './nouns/index.ts';
import { type BusEvent, BusEventSchema } from './protocol/generated/bus-event_pb.ts';
import type { PayloadName, PayloadOf } from './protocol/payloads.ts';
import { strictReader } from './protocol/strict.ts';
import { exactText } from './values.ts';

/** The one version of the envelope that the network speaks at release 0.71. */
const ENVELOPE_VERSION = 1;

/** The bytes of one event as the network sends it. Throws an Error that says what is wrong with them. */
export const readBusEvent = strictReader(BusEventSchema);

/**
 * One event of the network as its core sends it (the bytes of a BusEvent), in our terms, with the chain that it
 * is of. Throws an Error that says what is wrong when the bytes are no such event or hold a value that cannot
 * be kept; kinds of events that the gateway does not keep come out as `other`, unread.
 */
export function decodeEvent(bytes: Uint8Array): DecodedEvent {
  const { message: envelope, unknownFields } = readBusEvent(bytes);
  checkEnvelope(envelope);
  const { case: name, value } = envelope.event;
  const reader = payloads.get(name ?? '');
  const event: NetworkEvent = reader ? reader.read(value as never) : { type: 'other', kind: envelope.type };
  return { chainId: exactText('chainId', envelope.chainId), event, unknownFields };
}

export interface DecodedEvent {
  readonly chainId: string;
  readonly event: NetworkEvent;
  /** The fields that no known release has, as `Market.25`; undefined where there are none. */
  readonly unknownFields: readonly string[] | undefined;
}

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
    const read = (message: never) => ({ type, row: noun.fromMessage(message) }) as KeptEvent;
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
