import { findFirstHeight, type Side } from '../data/digests/comparison.ts';
import type { StateDigest } from '../data/digests/state-digests.ts';
import { GatewayError } from '../errors.ts';

/** A state of the most rows is read by the gateway before it answers. */
const ANSWER_LIMIT_MS = 60_000;

/** A gateway as one of two that are compared. It gives digests alone. */
export function gatewaySide(address: string, signal: AbortSignal): Side {
  const ask = <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) =>
    askGateway<Data>(address, { query, variables }, signal);
  const digestAt = async (height: bigint) => {
    const { block } = await ask<{ block: { digest: string | null } | null }>(
      'query ($height: Uint64) { block(height: $height) { digest } }',
      { height: `${height}` },
    );
    return block?.digest ?? null;
  };
  const newest = async () => {
    const { block } = await ask<{ block: { height: string } | null }>('{ block { height } }');
    return block === null ? null : BigInt(block.height);
  };
  return {
    name: address,
    newest,
    digestAt,
    firstDigested: () => findFirst(digestAt, newest),
    async stateAt(height) {
      const { asOf } = await ask<{ asOf: { digest: StateDigest } }>(
        'query ($height: Uint64) { asOf(height: $height) { digest { digest nouns { noun rows digest } } } }',
        { height: `${height}` },
      );
      return asOf.digest;
    },
    rows: null,
  };
}

/** From one block on all have a digest. */
async function findFirst(digestAt: Side['digestAt'], newest: Side['newest']): Promise<bigint | null> {
  const last = await newest();
  if (last === null || (await digestAt(last)) === null) return null;
  return findFirstHeight(0n, last, async (height) => (await digestAt(height)) !== null);
}

async function askGateway<Data>(address: string, body: object, signal: AbortSignal): Promise<Data> {
  const url = new URL('graphql', address.endsWith('/') ? address : `${address}/`);
  const fail = (reason: string) =>
    new GatewayError('UNAVAILABLE', `${address} cannot be compared: ${reason}`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
  }).catch((error: Error) => {
    signal.throwIfAborted();
    throw fail(`${(error.cause as Error | undefined)?.message ?? error.message}.`);
  });
  const answer = (await response.json().catch(() => null)) as {
    readonly data?: Data | null;
    readonly errors?: readonly { readonly message: string }[];
  } | null;
  if (answer?.data == null) throw fail(answer?.errors?.[0]?.message ?? `it answers ${response.status}.`);
  return answer.data;
}
