/** What a relay has done since it began, as plain numbers: read when metrics are asked for. */
export class RelayCounts {
  /** The blocks of its source that the log has, whoever has put them there, and their bytes. */
  settled = 0;
  bytes = 0;
  /** How often a block was not taken, because another relay was before it or the servers did not confirm it. */
  refused = 0;
  /** The newest block that the log is known to have. */
  newest: { readonly height: bigint } | null = null;
  /** Whether it publishes, and does not only follow another relay. */
  isLeading = false;
  /** The blocks in memory that the log does not have. */
  waiting = 0;
  #trouble: string | null = null;
  #readSource: () => RelaySource = () => ({ spool: null, isConnected: null, trouble: null });
  #readLog: () => boolean = () => false;

  /** Why blocks wait; null while they do not. */
  get trouble(): string | null {
    return this.#trouble ?? this.source.trouble;
  }

  /** Sets why the log does not get the blocks that the source has given. */
  set trouble(trouble: string | null) {
    this.#trouble = trouble;
  }

  /** How the source stands. */
  get source(): RelaySource {
    return this.#readSource();
  }

  watch(readSource: () => RelaySource): void {
    this.#readSource = readSource;
  }

  /** Whether a server of the log has this relay as its client. */
  get isLogConnected(): boolean {
    return this.#readLog();
  }

  watchLog(readLog: () => boolean): void {
    this.#readLog = readLog;
  }
}

export interface RelaySource {
  /** The events that wait on disk; null where it is no core node that is relayed. */
  readonly spool: { readonly bytes: number; readonly limit: number; readonly segments: number } | null;
  /** Whether a core node is connected; null where none is listened for. */
  readonly isConnected: boolean | null;
  /** Why it gives no blocks at the moment, where that is not for having none. */
  readonly trouble: string | null;
}
