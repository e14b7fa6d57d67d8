import { findFirstHeight, type Side } from '../data/digests/comparison.ts';
import type { StateDigest } from '../data/digests/state-digests.ts';
import { GatewayError } from '../errors.ts';

/** A state of the most rows is read by the gateway before it answers. */
const ANSWER_LIMIT_MS = 60_000;

/** A gateway as one of two that are compared. It gives digests alone. */
export function gatewaySide(address: string, signal: AbortSignal): Side {
  const ask = <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) =>
    askGateway<Data>(address, { query, variables }, signal).catch((error: Error) => {
      if (!(error instanceof GatewayError)) throw error;
      throw new GatewayError(error.code, `${address} cannot be compared: ${error.message}`);
    });
  const digestAt = async (height: bigint) => {
    const { block } = await ask<{ block: { digest: string | null } | null }>(
      'query ($height: Uint64) { block(height: $height) { digest } }',
      { height: `${height}` },
    );
    return block?.digest ?? null;
  };
  // From one block on all have a digest: before that one, this is null.
  const digestFrom = async (height: bigint) => {
    const { blocks } = await ask<{
      blocks: { nodes: readonly { height: string; digest: string | null }[] };
    }>(
      'query ($height: Uint64) { blocks(fromHeight: $height, first: 1, newestFirst: false) { nodes { height digest } } }',
      { height: `${height}` },
    );
    const [{ height: found, digest } = { height: '', digest: null }] = blocks.nodes;
    return digest === null ? null : { height: BigInt(found), digest };
  };
  const heights = async () => {
    const { block, blocks } = await ask<{
      block: { height: string } | null;
      blocks: { nodes: readonly { height: string }[] };
    }>('{ block { height } blocks(first: 1, newestFirst: false) { nodes { height } } }');
    const [first] = blocks.nodes;
    if (block === null || first === undefined) return null;
    return { first: BigInt(first.height), newest: BigInt(block.height) };
  };
  return {
    name: address,
    heights,
    digestAt,
    digestFrom,
    firstDigested: () => findFirst(digestFrom, heights),
    async stateAt(height) {
      const query =
        'query ($height: Uint64) { asOf(height: $height) { digest { digest nouns { noun rows digest } } } }';
      const variables = { height: `${height}` };
      const { asOf } = await askGateway<{ asOf: { digest: StateDigest } }>(
        address,
        { query, variables },
        signal,
      );
      return asOf.digest;
    },
    rows: null,
  };
}

/** The first block that has a digest, by halves: some blocks may lack. */
async function findFirst(digestFrom: Side['digestFrom'], heights: Side['heights']): Promise<bigint | null> {
  const { first, newest } = (await heights()) ?? {};
  if (first === undefined || newest === undefined || (await digestFrom(newest)) === null) return null;
  const from = await findFirstHeight(first, newest, async (height) => (await digestFrom(height)) !== null);
  return (await digestFrom(from))?.height ?? null;
}

/** What a gateway answers. Throws a GatewayError with the reason where that is not all that it was asked for. */
async function askGateway<Data>(address: string, body: object, signal: AbortSignal): Promise<Data> {
  const url = new URL('graphql', address.endsWith('/') ? address : `${address}/`);
  const fail = (error: Error) => {
    signal.throwIfAborted();
    throw unavailable(describe(error));
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
  }).catch(fail);
  // What is no JSON is of somebody else: its status says more.
  const read = response.json().catch((error) => (error instanceof SyntaxError ? null : fail(error)));
  const answer = (await read) as {
    readonly data?: Data | null;
    readonly errors?: readonly { readonly message: string }[];
  } | null;
  // What could not be answered is null, somewhere in data.
  const [error] = answer?.errors ?? [];
  if (error !== undefined) throw new GatewayError('FAILED_PRECONDITION', error.message);
  if (answer?.data == null) throw unavailable(`it answers ${response.status}.`);
  return answer.data;
}

/** Why there was no answer, or not all of it. */
function describe({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `it did not answer within ${ANSWER_LIMIT_MS / 1000} seconds.`;
  return `${(cause as Error | undefined)?.message ?? message}.`;
}

function unavailable(reason: string): GatewayError {
  return new GatewayError('UNAVAILABLE', reason);
}
