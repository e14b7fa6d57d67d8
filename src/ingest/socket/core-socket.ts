import type { Logger } from 'pino';
import type { SourceState } from '../ingest-counts.ts';
import { type PeerAddress, PeerListener } from './listen.ts';
import { createReceiver } from './receive.ts';
import { Spool, type SpoolOptions } from './spool.ts';
import type { UpgradeNotice } from './spool-source.ts';
import { UpgradeAnswer } from './upgrade-answer.ts';

/** Where a core node dials, and what keeps what it sends. Whoever opens it closes both, the spool when nobody reads it any more. */
export interface CoreSocket {
  readonly listener: PeerListener;
  readonly spool: Spool;
  /** Tells the core node that everything before an upgrade has arrived where it is to be. */
  answer(notice: UpgradeNotice): void;
  state(): SourceState;
}

/** Throws where another process uses the spool, or has the address. */
export async function openCoreSocket(options: {
  readonly address: PeerAddress;
  readonly spool: Omit<SpoolOptions, 'logger'>;
  /** Gets the bytes of what is sent. */
  readonly counts: { bytes: number };
  readonly logger: Logger;
}): Promise<CoreSocket> {
  const { address, counts, logger } = options;
  const spool = await Spool.open({ ...options.spool, logger });
  const upgrade = new UpgradeAnswer(spool);
  const listener = await PeerListener.open({
    address,
    logger,
    onPeer: (peer) => upgrade.offerTo(peer),
    onMessages: createReceiver(spool, counts),
    trouble: () => spool.trouble,
  }).catch(async (error) => {
    await spool.close();
    throw error;
  });
  const figures = { url: listener.url, folder: spool.folder, spooled: spool.size };
  logger.info(figures, 'waiting for a core node to dial');
  return {
    listener,
    spool,
    answer: (notice) => upgrade.take(notice, listener.peer),
    state: () => ({
      spool: { bytes: spool.size, limit: options.spool.limit, segments: spool.segments.length },
      isConnected: listener.peer !== null,
      trouble: spool.trouble,
    }),
  };
}
