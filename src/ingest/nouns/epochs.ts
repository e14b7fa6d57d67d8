import { numberAs, object, otherwise, required, time } from '../json-objects.ts';
import { uint63 } from '../values.ts';
import type { IngestNoun } from './noun.ts';

/** What an event says of an epoch that has ended; one that says anything else tells no end that means a time. */
const ENDED = 2;

export const epoch: IngestNoun<'epoch', 'epochEvent'> = {
  events: { epochEvent: 31 },
  fromMessage: ({ seq, action, startTime, expireTime, endTime }) => ({
    seq: uint63('seq', `${seq}`),
    startTimestamp: startTime,
    expiryTimestamp: expireTime,
    endTimestamp: action === ENDED ? endTime : 0n,
  }),
  fromJson: object({
    seq: required(numberAs(uint63)),
    startTimestamp: required(time),
    expiryTimestamp: required(time),
    endTimestamp: otherwise(0n, time),
  }),
};
