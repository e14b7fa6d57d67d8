import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import type { StreamClient } from '../support/stream-client.ts';
import type { OracleFilter } from './oracle.ts';

/** An account as a stream tells it. */
export interface StreamRow {
  readonly owner: string;
  readonly marketId: string;
  readonly asset: string;
  readonly type: string;
  readonly balance: string;
}

/** A message of a stream of accounts, whatever it came on. */
export interface StreamStep {
  readonly kind: 'snapshot' | 'updates';
  readonly height: number;
  readonly cursor: string;
  readonly rows: readonly StreamRow[];
  /** Whether the snapshot is complete with it. */
  readonly lastPage: boolean;
}

/** What a stream ended with that names a reason. */
export class StreamError extends Error {
  override name = 'StreamError';
  readonly code: string | number;

  constructor(code: string | number, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A stream of accounts on one connection: the next message, or null at the end. Throws a StreamError. */
export interface AccountStream {
  next(limitMs: number): Promise<StreamStep | null>;
  close(): void;
}

type Open = (url: string, filter: OracleFilter, after: string | null) => Promise<AccountStream>;

const OPERATION = `subscription($filter: AccountFilter, $after: String) {
  accounts(filter: $filter, after: $after) {
    block { height } cursor
    snapshot { accounts { owner marketId asset type balance } lastPage }
    updates { accounts { owner marketId asset type balance } }
  }
}`;

/** Every way to follow accounts. The first three take one value of each kind. */
export const transports = {
  ndjson: async (url, filter, after) => read(await openNdjson(url, pathOf(filter, after)), readDocumented),
  webSocket: async (url, filter, after) =>
    read(await openDocumentedWebSocket(url, pathOf(filter, after)), readDocumented),
  sse: async (url, filter, after) =>
    read(await openSse(url, pathOf(filter, null), after ?? undefined), ({ id, data }) => {
      const step = readDocumented(data);
      if (id !== step.cursor) throw new Error(`the event's id is ${id}, its cursor ${step.cursor}`);
      return step;
    }),
  graphqlWs: async (url, filter, after) =>
    read(await openGraphqlWs(url, OPERATION, variablesOf(filter, after)), readGraphql),
  graphqlSse: async (url, filter, after) =>
    read(await openGraphqlSse(url, OPERATION, variablesOf(filter, after)), readGraphql),
} as const satisfies Record<string, Open>;

export type Transport = keyof typeof transports;

/** The transports that can ask for what a filter lets through. */
export function transportsFor({ owners, markets, assets, types }: OracleFilter): readonly Transport[] {
  const all = Object.keys(transports) as Transport[];
  const isDocumented = [owners, markets, assets, types].every((values) => values.length < 2);
  // An empty market is no market in a path.
  return isDocumented && !markets.includes('') ? all : all.slice(3);
}

// biome-ignore lint/suspicious/noExplicitAny: a message is what the transport makes of it.
type Message = any;

function read(client: StreamClient, toStep: (message: Message) => StreamStep): AccountStream {
  return {
    async next(limitMs) {
      const message = await client.next(limitMs);
      return message === null ? null : toStep(message);
    },
    close: () => client.close(),
  };
}

function readDocumented({ result, error, block, cursor }: Message): StreamStep {
  if (error !== undefined) throw new StreamError(error.code, error.message);
  return toStep(result.snapshot, result.updates, block.height, cursor);
}

function readGraphql({ data, errors }: Message): StreamStep {
  if (errors !== undefined) throw new StreamError(errors[0].extensions?.code, errors[0].message);
  const { snapshot, updates, block, cursor } = data.accounts;
  return toStep(snapshot, updates, block.height, cursor);
}

function toStep(snapshot: Message, updates: Message, height: string, cursor: string): StreamStep {
  const kind = snapshot ? 'snapshot' : 'updates';
  const { accounts, lastPage } = snapshot ?? updates;
  return { kind, height: Number(height), cursor, rows: accounts, lastPage: lastPage === true };
}

function pathOf({ owners, markets, assets, types }: OracleFilter, after: string | null): string {
  const given = { partyId: owners[0], marketId: markets[0], asset: assets[0], type: types[0], after };
  const parameters = new URLSearchParams({ cursors: 'true' });
  for (const [name, value] of Object.entries(given)) if (value) parameters.set(name, value);
  return `/api/v2/stream/accounts?${parameters}`;
}

/** A filter as GraphQL takes it, and where to go on. */
export function variablesOf({ owners, markets, assets, types }: OracleFilter, after: string | null) {
  const filter = {
    partyIds: owners,
    marketIds: markets,
    accountTypes: types,
    ...(assets.length === 0 ? {} : { assetId: assets[0] }),
  };
  return { filter, after };
}
