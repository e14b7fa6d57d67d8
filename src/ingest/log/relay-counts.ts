import { NO_SOURCE_STATE, type SourceState } from '../ingest-counts.ts';

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
  #readSource: () => SourceState = () => NO_SOURCE_STATE;
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
  get source(): SourceState {
    return this.#readSource();
  }

  watch(readSource: () => SourceState): void {
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
