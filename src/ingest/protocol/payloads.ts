import type { BusEvent } from './generated/bus-event_pb.ts';

/** What an event of the network holds, of the kinds that are read. */
export type Payload = Exclude<BusEvent['event'], { readonly case: undefined }>;

export type PayloadName = NonNullable<Payload['case']>;

/** The message that a payload is. */
export type PayloadOf<Name extends PayloadName> = Extract<Payload, { readonly case: Name }>['value'];
