import type { DecodeEvent } from './decode.ts';
import { EventError } from './event-faults.ts';

/**
 * Reads events as `decode` does, and passes over those that it cannot take: they come out as `skipped`, with the reason.
 * What else would be damaged with them is thrown still: the envelope, or where a block begins and ends.
 */
export function skippingDamaged(decode: DecodeEvent): DecodeEvent {
  return (bytes) => {
    try {
      return decode(bytes);
    } catch (error) {
      if (!(error instanceof EventError) || !error.fault.isContained || error.chainId === null) throw error;
      const { kind } = error.fault;
      return { chainId: error.chainId, event: { type: 'skipped', kind, reason: error.message } };
    }
  };
}
