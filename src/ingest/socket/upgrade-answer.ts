import { encodeDataNodeReady } from './envelope.ts';
import type { Peer } from './listen.ts';
import type { Spool } from './spool.ts';
import type { UpgradeNotice } from './spool-source.ts';

/** Answers the core, which waits for it before it upgrades, when everything has been applied: once a connection. */
export class UpgradeAnswer {
  readonly #spool: Spool;
  #notice: UpgradeNotice | null = null;
  #answered: Peer | null = null;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  take(notice: UpgradeNotice, peer: Peer | null): void {
    this.#notice = notice;
    if (peer) this.offerTo(peer);
  }

  /** A core that has sent something since does not wait any more. */
  offerTo(peer: Peer): void {
    const notice = this.#notice;
    if (notice === null || notice.sequence !== this.#spool.lastSequence || this.#answered === peer) return;
    peer.send(encodeDataNodeReady(notice.chainId, notice.lastBlockHeight));
    this.#answered = peer;
  }
}
