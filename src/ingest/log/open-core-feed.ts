import type { Logger } from 'pino';
import { openCoreSocket } from '../socket/core-socket.ts';
import type { PeerAddress } from '../socket/listen.ts';
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
  const core = await openCoreSocket({ address, spool: options.spool, counts: { bytes: 0 }, logger });
  const { listener, spool } = core;
  const feed = new CoreFeed(spool, {
    onUpgrade(notice) {
      logger.info({ lastBlock: notice.lastBlockHeight.toString() }, 'the log has all up to the upgrade');
      core.answer(notice);
    },
    onFault({ message }) {
      logger.error(
        { reason: message, folder: spool.folder },
        'cannot go on with these events: they stay in the spool until the core begins again at an earlier block',
      );
    },
  });
  counts.watch(() => ({ ...core.state(), trouble: feed.trouble }));
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
