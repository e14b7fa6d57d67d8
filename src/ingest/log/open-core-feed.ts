import type { Logger } from 'pino';
import { type PeerAddress, PeerListener } from '../socket/listen.ts';
import { createReceiver } from '../socket/receive.ts';
import { Spool } from '../socket/spool.ts';
import { UpgradeAnswer } from '../socket/upgrade-answer.ts';
import { CoreFeed } from './core-feed.ts';
import type { RelayCounts } from './relay-counts.ts';
import type { OpenFeed } from './run-relay.ts';

/**
 * Listens where a core node dials, and keeps what it sends on disk until the log has it. Throws where another process uses the
 * spool, or has the address.
 */
export async function openCoreFeed(options: {
  readonly address: PeerAddress;
  readonly spool: { readonly folder: string; readonly limit: number };
  readonly counts: RelayCounts;
  readonly logger: Logger;
}): Promise<OpenFeed> {
  const { address, counts, logger } = options;
  const spool = await Spool.open({ ...options.spool, logger });
  const ready = new UpgradeAnswer(spool);
  const listener = await PeerListener.open({
    address,
    logger,
    onPeer: (peer) => ready.offerTo(peer),
    onMessages: createReceiver(spool, { bytes: 0 }),
    trouble: () => spool.trouble,
  }).catch(async (error) => {
    await spool.close();
    throw error;
  });
  const figures = { url: listener.url, folder: spool.folder, spooled: spool.size };
  logger.info(figures, 'waiting for a core node to dial');
  const feed = new CoreFeed(spool, {
    onUpgrade(notice) {
      logger.info({ lastBlock: notice.lastBlockHeight.toString() }, 'the log has all up to the upgrade');
      ready.take(notice, listener.peer);
    },
    onFault({ message }) {
      logger.error(
        { reason: message, folder: spool.folder },
        'cannot go on with these events: they stay in the spool until the core begins again at an earlier block',
      );
    },
  });
  counts.watch(() => ({
    spool: { bytes: spool.size, limit: options.spool.limit, segments: spool.segments.length },
    isConnected: listener.peer !== null,
    trouble: feed.trouble,
  }));
  return {
    feed,
    url: listener.url,
    failed: listener.failed,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await spool.close();
    },
  };
}
