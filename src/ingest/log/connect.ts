import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { Backoff } from '../../backoff.ts';
import { IngestError } from '../events.ts';
import type { LogServers } from './servers.ts';

/** A connection to the servers of a log, which finds another of them when its server is gone. */
export interface LogConnection extends AsyncDisposable {
  readonly name: string;
  readonly nats: NatsConnection;
  /** Whether one of the servers has this client just now. */
  readonly isConnected: boolean;
  /** Rejects when the servers take this client no longer, which no waiting cures; never resolves. */
  readonly failed: Promise<never>;
}

/** Is told, at each attempt, why a log is not there. */
export type OnAway = (reason: string) => void;

/** For whoever waits without an end. */
export const ENDLESS = { deadlineMs: Number.POSITIVE_INFINITY } as const;

/** Servers that are about to start may be there soon. */
const DIAL = { firstMs: 100, limitMs: 1_000, deadlineMs: 10_000 } as const;
const DIAL_LIMIT_MS = 3_000;
/** A server that is lost is tried again this often, and each of the others at once. */
const REDIAL_MS = 250;
/** A server whose machine is gone is noticed after two of these. */
const PING_MS = 5_000;

/**
 * Throws an IngestError where the servers refuse. Where none of them answers, `onAway` is told why, and they are waited for however
 * long that takes; where it is null, an IngestError says so after ten seconds.
 */
export async function connectToLog(
  servers: LogServers,
  options: {
    readonly credentials: Uint8Array | null;
    readonly signal: AbortSignal;
    readonly onAway: OnAway | null;
  },
): Promise<LogConnection> {
  const { credentials, signal, onAway } = options;
  const backoff = new Backoff({ ...DIAL, ...(onAway && ENDLESS), signal });
  for (;;) {
    try {
      return watch(servers.name, await dial(servers, credentials));
    } catch (error) {
      const isRefused = (error as Error).name === 'AuthorizationError';
      const verb = isRefused ? 'refuses' : 'cannot be reached';
      const reason = `${servers.name} ${verb}: ${(error as Error).message}`;
      if (!isRefused) {
        onAway?.(reason);
        if (await backoff.wait()) continue;
      }
      signal.throwIfAborted();
      throw new IngestError(reason, { cause: error });
    }
  }
}

function dial(servers: LogServers, credentials: Uint8Array | null): Promise<NatsConnection> {
  const { hosts, isEncrypted, user, password } = servers;
  return connect({
    servers: [...hosts],
    name: 'periscope',
    timeout: DIAL_LIMIT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: REDIAL_MS,
    reconnectJitter: REDIAL_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    noAsyncTraces: true,
    ...(isEncrypted && { tls: {} }),
    ...(user !== null && (password === null ? { token: user } : { user, pass: password })),
    ...(credentials !== null && { authenticator: credsAuthenticator(credentials) }),
  });
}

function watch(name: string, nats: NatsConnection): LogConnection {
  let isOurs = false;
  const failed = nats.closed().then((error) => {
    if (isOurs) return new Promise<never>(() => {});
    throw new IngestError(
      `${name} has ended the connection for good: ${error?.message ?? 'no reason given'}`,
    );
  });
  // Whoever cares awaits it; nobody has to.
  failed.catch(() => undefined);
  let isConnected = true;
  void (async () => {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect' || type === 'close') isConnected = false;
      else if (type === 'reconnect') isConnected = true;
    }
  })();
  return {
    name,
    nats,
    failed,
    get isConnected() {
      return isConnected;
    },
    async [Symbol.asyncDispose]() {
      isOurs = true;
      await nats.close();
    },
  };
}
