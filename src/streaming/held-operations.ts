import type { DocumentNode } from 'graphql';
import { bytesOf } from '../engine/documents/documents.ts';
import type { Subscribing } from '../engine/run/subscribe.ts';
import { GatewayError } from '../errors.ts';
import type { GiveBack, Quota } from '../http/limits/quota.ts';

/** What the operations of a client's open streams may take of the heap here, beyond the streams themselves: 60 different ones of 1000 tokens. */
const MOST_BYTES = 32 * 2 ** 20;
/** Variables are kept as they came, as they are read, and as a text; short ones take no more than the stream itself. */
const VARIABLES = { bytesOfCharacter: 8, free: 1000 } as const;

/** What a stream is made of, which is held for as long as it is open. */
type HeldOperation = Pick<Subscribing, 'document' | 'variableValues'>;

/** The operations of open streams: of how many streams there are nobody can say what they hold. */
export class HeldOperations {
  readonly #streams: Quota;
  readonly #clients = new Map<string, Held>();

  /** `streams` says how many there may be. */
  constructor(streams: Quota) {
    this.#streams = streams;
  }

  /** Takes a stream for an operation. Rejects with RESOURCE_EXHAUSTED where its client has too many, or they hold too much. */
  async take(client: string, operation: HeldOperation): Promise<GiveBack> {
    const giveBack = await this.#streams.take(client);
    try {
      const letGo = this.#hold(client, operation);
      return () => {
        letGo();
        giveBack();
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #hold(client: string, { document, variableValues }: HeldOperation): GiveBack {
    const held = this.#clients.get(client) ?? { bytes: 0, streams: new Map<DocumentNode, number>() };
    const streams = held.streams.get(document) ?? 0;
    const ofVariables = bytesOfVariables(variableValues);
    const ofDocument = bytesOf(document);
    const bytes = ofVariables + (streams === 0 ? ofDocument : 0);
    if (held.bytes + bytes > MOST_BYTES)
      throw new GatewayError(
        'RESOURCE_EXHAUSTED',
        `The operations of this address's open streams take ${held.bytes} bytes of memory, and may take ${MOST_BYTES}. Close one before opening another, or ask in fewer words.`,
      );
    held.bytes += bytes;
    held.streams.set(document, streams + 1);
    this.#clients.set(client, held);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held.bytes -= ofVariables;
      const left = (held.streams.get(document) ?? 0) - 1;
      held.streams.set(document, left);
      if (left > 0) return;
      held.bytes -= ofDocument;
      held.streams.delete(document);
      if (held.streams.size === 0) this.#clients.delete(client);
    };
  }
}

/** What a client's streams hold together. */
interface Held {
  bytes: number;
  /** How many have a document: those that ask in the same words hold the very same one, while it is kept. */
  readonly streams: Map<DocumentNode, number>;
}

function bytesOfVariables(variables: HeldOperation['variableValues']): number {
  const { length } = JSON.stringify(variables ?? {});
  return VARIABLES.bytesOfCharacter * Math.max(0, length - VARIABLES.free);
}
