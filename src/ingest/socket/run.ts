import type { Logger } from 'pino';
import type { Retention } from '../../data/history/retention.ts';
import type { OpenPlace } from '../../data/open.ts';
import type { DecodeEvent } from '../decode.ts';
import { IngestCounts } from '../ingest-counts.ts';
import { openFirst, openWriter } from '../open-writer.ts';
import { type RunningIngest, superviseIngest } from '../running-ingest.ts';
import { applySpool } from './apply-spool.ts';
import { type CoreSocket, openCoreSocket } from './core-socket.ts';
import type { PeerAddress } from './listen.ts';
import type { UpgradeNotice } from './spool-source.ts';

/** An ingest from a core node that runs until it is closed. */
export interface SocketIngest extends RunningIngest {
  /** Where the core node dials: `tcp://host:port`. */
  readonly url: string;
}

export interface SocketIngestOptions {
  readonly address: PeerAddress;
  readonly spool: { readonly folder: string; readonly limit: number; readonly segmentSize?: number };
  /** Called again whenever the database was lost. */
  readonly openPlace: () => Promise<OpenPlace>;
  /** How much of the past is kept; all where it is not given. */
  readonly retention?: Retention | undefined;
  /** Reads events; that of this version where none is given. */
  readonly decode?: DecodeEvent;
  /** Of this program, for whoever reads later what it could not go on at. */
  readonly version?: string;
  /** Aborted where a stop is asked for: a database that is still being opened is not waited for then. */
  readonly asked: AbortSignal;
  readonly logger: Logger;
}

/**
 * Listens for a core node, spools what it sends, and applies the spool to the database. A database that cannot be
 * reached is waited for, also at the start. Throws where another process ingests into the database or uses the
 * spool, or has the address.
 */
export async function startSocketIngest(options: SocketIngestOptions): Promise<SocketIngest> {
  const { address, asked, decode, version = 'unknown', logger } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const open = () => openWriter(options.openPlace, options.retention, signal);
  const counts = new IngestCounts();
  const meanwhile = 'events are spooled meanwhile';
  const opened = await openFirst(open, counts, { stop, asked, logger, meanwhile });
  const core = await openCoreSocket({ address, spool: options.spool, counts, logger }).catch(
    async (error) => {
      await opened?.[Symbol.asyncDispose]();
      throw error;
    },
  );
  const { listener, spool } = core;
  counts.watch(core.state);
  const onUpgrade = (notice: UpgradeNotice) => {
    logger.info({ lastBlock: notice.lastBlockHeight.toString() }, 'all is applied up to the upgrade');
    core.answer(notice);
  };
  const applying = applySpool({ spool, opened, open, onUpgrade, counts, signal, decode, version, logger });
  const ingest = superviseIngest({
    counts,
    applying,
    sourceFailed: listener.failed,
    report: () => describe(core, counts, logger),
    async end() {
      stop.abort();
      await listener.close();
      // `failed` has named a failure already.
      await applying.catch(() => undefined);
      await spool.close();
    },
  });
  return { ...ingest, url: listener.url };
}

function describe({ listener, spool }: CoreSocket, { height, trouble }: IngestCounts, logger: Logger): void {
  const waiting = spool.trouble;
  const figures = { peer: listener.peer?.name ?? null, height, spooled: spool.size, trouble, waiting };
  if (waiting !== null) logger.error(figures, 'no events are taken in: the core waits');
  else if (trouble !== null) logger.error(figures, 'events stay in the spool');
  else if (listener.peer === null) logger.warn(figures, 'no core node is connected');
  else logger.info(figures, 'taking events in');
}
