import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, readPlaces } from './config.ts';
import { describeSpoiled, scrub } from './data/digests/scrub.ts';
import { type Database, openDatabase } from './data/servers/client.ts';
import { GatewayError } from './errors.ts';
import { defineScrubMetrics, type MeasuredScrub } from './metrics/scrubs.ts';
import type { OpenMetrics } from './metrics/serve.ts';

/** Between two rounds, and after a failure. */
const PAUSE_MS = 10_000;
/** A page of rows is read by one statement. */
const STATEMENT_LIMIT_MS = 60_000;

interface ScrubbingOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly metrics: Pick<OpenMetrics, 'registry'>;
}

/**
 * Reads each server that the gateway reads from again, over and over, at the rate of the settings, and has it measured. Whoever starts it
 * closes it.
 */
export function startScrubbing({ config, databaseUrl, logger, metrics }: ScrubbingOptions): AsyncDisposable {
  const stop = new AbortController();
  const { url, replicaUrls } = readPlaces(config, databaseUrl);
  const scrubs = [url, ...replicaUrls].map((one) => new ServerScrub(one, config, logger));
  const running = scrubs.map((one) => one.run(stop.signal));
  defineScrubMetrics(metrics.registry, () => scrubs.map(({ measured }) => measured));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

class ServerScrub {
  readonly #url: string;
  readonly #rowsPerSecond: number;
  readonly #logger: Logger;
  #upTo: bigint | null = null;
  /** Of the rounds before this one, and of this one. */
  #rows = 0;
  #rowsOfRound = 0;
  #spoiled = 0;
  #spoiledBefore = 0;
  #finishedAt: number | null = null;

  constructor(url: string, { scrub }: Config, logger: Logger) {
    const server = new URL(url).host || 'embedded';
    this.#url = url;
    this.#rowsPerSecond = scrub.rowsPerSecond;
    this.#logger = logger.child({ server });
    this.server = server;
  }

  readonly server: string;

  get measured(): MeasuredScrub {
    return {
      server: this.server,
      upTo: this.#upTo,
      rows: this.#rows + this.#rowsOfRound,
      spoiled: Math.max(this.#spoiled, this.#spoiledBefore),
      finishedAt: this.#finishedAt,
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    await using database = openDatabase({
      ...{ url: this.#url, readOnly: true, maxConnections: 1, statementTimeoutMs: STATEMENT_LIMIT_MS },
    });
    while (!signal.aborted) {
      await this.#read(database, signal).catch((error: Error) => {
        // A base that is not whole yet is no fault: it is read once it is.
        if (!signal.aborted && !(error instanceof GatewayError))
          this.#logger.warn({ err: error }, 'the database could not be read again');
      });
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #read({ statements }: Database, signal: AbortSignal): Promise<void> {
    [this.#rows, this.#rowsOfRound] = [this.#rows + this.#rowsOfRound, 0];
    // A round that was broken off has not come to all that was found before.
    [this.#spoiledBefore, this.#spoiled] = [this.measured.spoiled, 0];
    await scrub(statements.until(signal), {
      ...{ signal, rowsPerSecond: this.#rowsPerSecond },
      onProgress: ({ upTo, rows }) => {
        [this.#upTo, this.#rowsOfRound] = [upTo, rows];
      },
      onSpoiled: (one) => {
        this.#spoiled += 1;
        this.#logger.error({ spoiled: describeSpoiled(one) }, 'the database is not what it was');
      },
    });
    this.#spoiledBefore = this.#spoiled;
    this.#finishedAt = Date.now();
  }
}
