import type { NounName } from '../../data/nouns/index.ts';
import type { EventRow } from '../events.ts';
import type { Reader } from '../json-objects.ts';
import type { PayloadName, PayloadOf } from '../protocol/payloads.ts';

/** All that ingest knows of one noun: which events of the network carry it, and how a row is made of each source. */
export interface IngestNoun<Name extends NounName, Carrier extends PayloadName> {
  /** The payloads that carry it, each with the `type` that its envelope announces it by. */
  readonly events: Readonly<Record<Carrier, number>>;
  /** The row of a payload, or its rows. Throws a ValueError that names a field whose value cannot be kept. */
  fromMessage(message: PayloadOf<Carrier>): EventRow<Name> | readonly EventRow<Name>[];
  /** The row of a line of JSON, which has the documented fields of the documented objects. */
  readonly fromJson: Reader<EventRow<Name>>;
}
