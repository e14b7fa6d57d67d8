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
 * What every request passes when it comes, to become a WebSocket too: its client may ask for `cost` more, its head is as
 * it should be, and the block is there that it asks for. Gives null where nothing is waited for, which is nearly always.
 * Throws, or rejects with, the reason why it may not enter.
 */
export type Entrance = (request: IncomingMessage, cost: number) => Promise<void> | null;

export function createEntrance({ clients, limiter, waitForBlock }: EntranceOptions): Entrance {
  const minBlock = createMinBlock(waitForBlock);
  return (request, cost) => {
    if (!hasTarget(request)) throw noTarget(request);
    // Whoever asks whether the gateway is well is always answered.
    if (isProbe(request)) {
      checkHead(request);
      return null;
    }
    const charging = limiter?.charge(clients.ofRequest(request), cost);
    return charging === undefined ? pass(request) : charging.then(async () => void (await pass(request)));
  };

  function pass(request: IncomingMessage): Promise<void> | null {
    checkHead(request);
    return minBlock(request);
  }
}

/** Whether a request asks whether the gateway is well: of these paths, and for nothing else. */
export function isProbe({ url = '', method }: IncomingMessage): boolean {
  return url.startsWith('/health') && PROBE.test(url) && (method === 'GET' || method === 'HEAD');
}

const PROBE = /^\/health(?:\/live|\/ready)?(?:\?|$)/;

function noTarget({ url = '' }: IncomingMessage): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', `The request is for ${quoted(url)}, which is no address.`);
}
