import type { Asked } from './messages.ts';
import type { AnySubscription } from './subscription.ts';
import type { Transport } from './transports/transport.ts';

/** What a follower is made of. */
export interface Parts {
  readonly isSeries: AnySubscription['isSeries'];
  readonly rowsOf: AnySubscription['rowsOf'];
  readonly asked: Asked;
  /** The first that works is kept. */
  readonly transports: readonly Transport[];
  readonly after: string | null;
  /** A connection that says nothing for so long is given up. */
  readonly silenceMs: number;
  /** So many blocks wait to be taken, and those that come at once with them; what comes later is asked for again. */
  readonly mostWaiting: number;
  readonly onEnd: () => void;
}
