import type { Logger } from 'pino';
import type { Retention } from '../../data/history/retention.ts';
import type { OpenPlace } from '../../data/open.ts';
import type { DecodeEvent } from '../decode.ts';
import { IngestCounts } from '../ingest-counts.ts';
import { openFirst, openWriter } from '../open-writer.ts';
import type { RunningIngest } from '../running-ingest.ts';
import { applySpool } from './apply-spool.ts';
import { type PeerAddress, PeerListener } from './listen.ts';
import { createReceiver } from './receive.ts';
import { Spool } from './spool.ts';
import type { ApplyState } from './spool-hold-up.ts';
import type { UpgradeNotice } from './spool-source.ts';
import { UpgradeAnswer } from './upgrade-answer.ts';

/** An ingest from a core node that runs until it is closed. */
export interface SocketIngest extends RunningIngest {
  /** Where the core node dials: `tcp://host:port`. */
  readonly url: string;
}

const REPORT_EVERY_MS = 60_000;

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
  readonly logger: Logger;
}

/**
 * Listens for a core node, spools what it sends, and applies the spool to the database. A database that cannot be
 * reached is waited for, also at the start. Throws where another process ingests into the database or uses the
 * spool, or has the address.
 */
export async function startSocketIngest(options: SocketIngestOptions): Promise<SocketIngest> {
  const { address, decode, version = 'unknown', logger } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const open = () => openWriter(options.openPlace, options.retention, signal);
  const counts = new IngestCounts();
  const state: ApplyState = { height: null, trouble: null, heldUp: null, counts };
  const opened = await openFirst(open, state, { logger, meanwhile: 'events are spooled meanwhile' });
  const spool = await Spool.open({ ...options.spool, logger }).catch((error) => closeAfter(error, opened));
  const ready = new UpgradeAnswer(spool);
  const listener = await PeerListener.open({
    address,
    logger,
    onPeer: (peer) => ready.offerTo(peer),
    onMessages: createReceiver(spool, counts),
    trouble: () => spool.trouble,
  }).catch((error) => closeAfter(error, spool, opened));

  const onUpgrade = (notice: UpgradeNotice) => {
    logger.info({ lastBlock: notice.lastBlockHeight.toString() }, 'all is applied up to the upgrade');
    ready.take(notice, listener.peer);
  };
  const applying = applySpool({ spool, opened, open, onUpgrade, state, signal, decode, version, logger });
  const failed = Promise.race([listener.failed, applying.then(() => new Promise<never>(() => {}))]);
  failed.catch(() => undefined);
  const report = setInterval(() => describe(listener, spool, state, logger), REPORT_EVERY_MS);
  logger.info(
    { url: listener.url, folder: spool.folder, spooled: spool.size },
    'waiting for a core node to dial',
  );

  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      clearInterval(report);
      stop.abort();
      await listener.close();
      // `failed` has named a failure already.
      await applying.catch(() => undefined);
      await spool.close();
    })();
    return closed;
  };
  return {
    url: listener.url,
    failed,
    get counts() {
      counts.spool = { bytes: spool.size, limit: options.spool.limit, segments: spool.segments.length };
      counts.isConnected = listener.peer !== null;
      counts.isHeldUp = state.trouble !== null || state.heldUp !== null || spool.trouble !== null;
      counts.heldUpBlock = state.heldUp?.height ?? null;
      return counts;
    },
    get heldUp() {
      return state.heldUp;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closeAfter(error: unknown, ...resources: readonly (AsyncDisposable | null)[]): Promise<never> {
  for (const resource of resources) await resource?.[Symbol.asyncDispose]();
  throw error;
}

/** Once a minute, so that a silent core or a database that is behind does not go unnoticed. */
function describe(
  listener: PeerListener,
  spool: Spool,
  { height, trouble }: ApplyState,
  logger: Logger,
): void {
  const waiting = spool.trouble;
  const figures = { peer: listener.peer?.name ?? null, height, spooled: spool.size, trouble, waiting };
  if (waiting !== null) logger.error(figures, 'no events are taken in: the core waits');
  else if (trouble !== null) logger.error(figures, 'events stay in the spool');
  else if (listener.peer === null) logger.warn(figures, 'no core node is connected');
  else logger.info(figures, 'taking events in');
}
