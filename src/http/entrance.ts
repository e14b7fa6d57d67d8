import type { IncomingMessage } from 'node:http';
import { GatewayError, quoted } from '../errors.ts';
import type { ClientAddresses } from './limits/client-address.ts';
import { createMinBlock, type WaitForBlock } from './limits/min-block.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import { checkHead, hasTarget } from './limits/request-limits.ts';

export interface EntranceOptions {
  readonly clients: ClientAddresses;
  /** Null where clients may ask for as much as they like. */
  readonly limiter: RateLimiter | null;
  readonly waitForBlock: WaitForBlock;
}

/**
 * What every request passes when it comes, to become a WebSocket too: its head is as it should be, its client may ask for
 * `cost` more, and the block is there that it asks for. Calls `enter` at once where nothing is waited for, which is
 * nearly always; else later, or `reject` with the reason.
 */
export type Entrance = (
  request: IncomingMessage,
  cost: number,
  enter: () => void,
  reject: (error: unknown) => void,
) => void;

export function createEntrance({ clients, limiter, waitForBlock }: EntranceOptions): Entrance {
  const minBlock = createMinBlock(waitForBlock);
  return (request, cost, enter, reject) => {
    const pass = () => {
      checkHead(request);
      return isProbe(request) ? null : minBlock(request);
    };
    try {
      if (!hasTarget(request)) throw noTarget(request);
      // Whoever asks whether the gateway is well is always answered.
      const charging = isProbe(request) ? undefined : limiter?.charge(clients.ofRequest(request), cost);
      const waiting = charging === undefined ? pass() : charging.then(pass);
      if (waiting === null) enter();
      else waiting.then(enter, reject);
    } catch (error) {
      reject(error);
    }
  };
}

function isProbe({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/health');
}

function noTarget({ url = '' }: IncomingMessage): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', `The request is for ${quoted(url)}, which is no address.`);
}
