import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRESS_TABLE } from '../../src/data/parts/progress-table.ts';
import { DisposableStack } from '../../src/disposable-stack.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { reachHeight, until } from '../../test/ingest/core-network.ts';
import { readDigests } from '../../test/ingest/log-network.ts';
import type { StreamRow } from '../../test/live/live-transports.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { ask } from '../../test/support/state.ts';
import { startPrimaryProxy } from '../replicas/primary-proxy.ts';
import { type PostgresServer, ReplicatedPostgres } from '../replicas/replicated-postgres.ts';

const WORKERS = '2';
const AWAY_MS = 1_000;
/** HAProxy takes every server for the primary until it has looked at it. */
const LOOKED_MS = 1_500;
const SETTINGS = {
  ...{ WORKERS, TRUSTED_PROXIES: 'loopback', STREAM_HEARTBEAT_MS: '1000' },
  ...{ MAX_CONNECTIONS_PER_CLIENT: '100000', MAX_STREAMS_PER_CLIENT: '100000' },
  MAX_SOCKETS_PER_CLIENT: '100000',
  // A machine with much else to do is no reason for an answer of 503.
  ...{ POOL_WAIT_MS: '30000', ADMISSION_WAIT_MS: '30000', STATEMENT_TIMEOUT_MS: '30000' },
  MIN_BLOCK_WAIT_MS: '30000',
} as const;

/** A database with a standby, what takes blocks in from the log, and gateways that serve them. */
export class Region implements AsyncDisposable {
  readonly postgres: ReplicatedPostgres;
  readonly gateways: readonly GatewayProcess[];
  /** Null where a gateway takes in besides. */
  readonly writer: WriterProcess | null;
  readonly #opened: DisposableStack;

  private constructor(parts: Pick<Region, 'postgres' | 'gateways' | 'writer'>, opened: DisposableStack) {
    this.postgres = parts.postgres;
    this.gateways = parts.gateways;
    this.writer = parts.writer;
    this.#opened = opened;
  }

  /** One that begins with the log's first block, with a gateway at each port. */
  static start(log: string, ports: readonly number[]): Promise<Region> {
    return opening(async (opened) => {
      const postgres = opened.use(await ReplicatedPostgres.start(1));
      const primary = opened.use(await startPrimaryProxy(postgres.servers));
      await sleep(LOOKED_MS);
      const writer = opened.use(new WriterProcess(primary.urlOf('postgres'), ['jetstream', log]));
      const settings = {
        ...SETTINGS,
        DATABASE_REPLICA_URLS: postgres.servers.map(({ readerUrl }) => readerUrl).join(),
      };
      const gateways: GatewayProcess[] = [];
      for (const port of ports) {
        const url = primary.urlOf('periscope_reader');
        gateways.push(opened.use(await GatewayProcess.start(url, { ...settings, PORT: `${port}` })));
      }
      return new Region({ postgres, gateways, writer }, opened);
    });
  }

  /** One that begins with a base, in one gateway that takes in the log as well. */
  static join(log: string, base: string, port: number): Promise<Region> {
    return opening(async (opened) => {
      const postgres = opened.use(await ReplicatedPostgres.start(0));
      const settings = { ...SETTINGS, PORT: `${port}` };
      const args = ['--from', base, '--ingest', log];
      const gateway = opened.use(await GatewayProcess.start(postgres.primary.url, settings, args));
      return new Region({ postgres, gateways: [gateway], writer: null }, opened);
    });
  }

  /** Resolves once all of the base is in that it began with. */
  async whole(): Promise<void> {
    const { url } = this.postgres.primary;
    const isWhole = async () =>
      (await ask<{ is: boolean }>(url, `SELECT to_regclass('${PROGRESS_TABLE}') IS NULL AS is`))[0]?.is ===
      true;
    await until(isWhole, 'all of the base is in');
  }

  /** Kills its standby for a while. */
  async killStandby(): Promise<void> {
    for (const standby of this.postgres.standbys) {
      await standby.stop('SIGKILL');
      await sleep(AWAY_MS);
      await standby.start();
    }
  }

  /** Resolves once all its servers hold a block. */
  async reach(height: number): Promise<void> {
    await Promise.all(this.postgres.servers.map(({ url }) => reachHeight(url, height)));
  }

  /** The digest of each block, as each server has it. */
  readDigests(): Promise<readonly (readonly string[])[]> {
    return Promise.all(this.postgres.servers.map(({ url }) => readDigests(url)));
  }

  /** All accounts, as the table of each server has them. */
  readAccounts(): Promise<readonly (readonly StreamRow[])[]> {
    return Promise.all(this.postgres.servers.map(readAccounts));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.close();
  }
}

/** Closes what was opened where the rest cannot be. */
async function opening(open: (opened: DisposableStack) => Promise<Region>): Promise<Region> {
  const opened = new DisposableStack();
  return open(opened).catch(async (error) => {
    await opened.close();
    throw error;
  });
}

async function readAccounts({ url }: PostgresServer): Promise<readonly StreamRow[]> {
  const rows = await ask<Omit<StreamRow, 'type'> & { type: number }>(
    url,
    'SELECT owner, market_id AS "marketId", asset_id AS asset, type, balance FROM accounts',
  );
  return rows.map(({ type, ...row }) => ({ ...row, type: accountTypes.nameOf(type) }));
}
