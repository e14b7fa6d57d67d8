import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { coverRange, spanOf } from '../history/coverage.ts';
import { HISTORIES, ROWS_BY_POSITION } from '../history/partitions.ts';
import { introduceWriter } from '../migrate.ts';
import { BLOCK_CHANNEL, createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import { inTransaction } from '../servers/transaction.ts';
import { checkRequirements } from '../upkeep/requirements.ts';
import { takeWriterLock } from '../writing/writer-lock.ts';
import { checkBegun, checkDigests, checkTables, checkVersion, refuseRows } from './base-checks.ts';
import { dropIndexes, makeIndexes } from './bulk-indexes.ts';
import { checkChain } from './chain-check.ts';
import { begin, end, note, readBegun, readNotes, STAGES, type Stage } from './ingest-progress.ts';
import { copyFile, loadFile } from './load-file.ts';
import { addedOf, baseOf, blocksOf, type Load, largeTables, pastOf, presentOf } from './load-plan.ts';
import type { Base, Manifest, PartFile, PositionsOf } from './manifest.ts';
import type { PartSource } from './part-source.ts';
import { PROGRESS_TABLE } from './progress-table.ts';
import { checkAdded, checkNumbers } from './row-numbers.ts';
import { sideBySide } from './side-by-side.ts';
import { bringBack, nameToCome, putAside } from './to-come.ts';

const KEEP_ALIVE_MS = 10_000;
/** Files come in side by side, as many as there are processors for the server to take them with. */
const MOST_LOADERS = 4;
/*
 * What is not on the disk when the server dies is not noted either, and done again. Of an index one process sorts a few rows at a
 * time, which its processor's cache holds: 5.7 million rewards by party and asset take 11.6 s of processor time so, and 15.9 s with
 * two workers and 256 MB. The other processors make other indexes. A limit that is set for others' statements would end the same file,
 * or the same index, each time.
 */
const SETTINGS =
  "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET synchronous_commit = off; SET maintenance_work_mem = '32MB'; SET max_parallel_maintenance_workers = 0; SET client_encoding = 'UTF8'";

export interface BaseOptions {
  readonly signal: AbortSignal;
  /** Is told of each stage that begins, and of the rows that have come. */
  readonly onProgress?: (progress: BaseProgress) => void;
  /** Is told when the present is there: gateways serve it from then on. */
  readonly onPresent?: () => void;
}

export interface BaseProgress {
  readonly stage: Stage;
  readonly rows: number;
  /** How many rows of it this process takes; 0 where that is not known. */
  readonly of: number;
}

/** What was taken in. */
export interface BaseSummary {
  readonly chain: string;
  readonly height: bigint;
  /** Of each stage: as many as files had that this process took. */
  readonly rows: Readonly<Record<Stage, number>>;
  readonly isResumed: boolean;
}

/**
 * Takes the newest base and the parts up to it into an empty database, or goes on with what was begun. The present is there first, for
 * all to read; rewards and trades follow, and are refused until all of them are there; then what was before, and questions about it are
 * out of range until all of it is there. Throws FAILED_PRECONDITION where the database holds something, a file is not what the manifest
 * names, another version made the base, or an older one began with it.
 */
export async function ingestBase(
  url: string,
  source: PartSource,
  options: BaseOptions,
): Promise<BaseSummary> {
  const clients = Array.from({ length: Math.min(availableParallelism(), MOST_LOADERS) }, () =>
    createConnection(url, { purpose: 'base', keepAliveInitialDelayMillis: KEEP_ALIVE_MS }),
  );
  const cut = () => clients.forEach(destroy);
  options.signal.addEventListener('abort', cut);
  let isWhole = false;
  try {
    for (const client of clients) await connect(client);
    const [client] = clients as [pg.Client];
    await checkRequirements(client);
    await takeWriterLock(client);
    const summary = await new BaseIngest({ url, clients, source }, options).run();
    isWhole = true;
    return summary;
  } finally {
    options.signal.removeEventListener('abort', cut);
    // In the middle of a COPY, a connection takes no word.
    if (!isWhole) cut();
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function connect(client: pg.Client): Promise<void> {
  await client.connect();
  await client.query(SETTINGS);
  await introduceWriter(client);
}

/** Positions are numbers in JSON: they are below 2^53. */
function writePositions(positions: PositionsOf): string {
  return JSON.stringify(positions, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

class BaseIngest {
  readonly #url: string;
  readonly #clients: readonly pg.Client[];
  readonly #client: pg.Client;
  readonly #source: PartSource;
  readonly #options: BaseOptions;
  readonly #rows = { present: 0, added: 0, past: 0 };

  constructor(
    {
      url,
      clients,
      source,
    }: { readonly url: string; readonly clients: readonly pg.Client[]; readonly source: PartSource },
    options: BaseOptions,
  ) {
    this.#url = url;
    this.#clients = clients;
    this.#client = clients[0] as pg.Client;
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<BaseSummary> {
    const begun = await readBegun(this.#client);
    if (begun !== null) await checkBegun(this.#client);
    const manifest = begun ?? (await this.#begin());
    const base = baseOf(manifest, this.#source.name);
    await this.#takePresent(manifest, base);
    this.#options.onPresent?.();
    await this.#takeAdded(manifest, base);
    await this.#takePast(manifest, base);
    return { chain: manifest.chain, height: base.height, rows: this.#rows, isResumed: begun !== null };
  }

  /** Begins with the newest base: whatever is written to the source meanwhile, it is gone on with that one. */
  async #begin(): Promise<Manifest> {
    const whole = await this.#source.readManifest();
    const base = baseOf(whole, this.#source.name);
    const { name } = this.#source;
    await checkVersion(whole, base, name);
    await checkTables(this.#client, whole, base, name);
    await refuseRows(this.#client);
    const parts = whole.parts.filter(({ upTo }) => upTo <= base.position);
    if (parts.at(-1)?.upTo !== base.position)
      throw new GatewayError(
        'INVALID_ARGUMENT',
        `${name} lacks the parts up to its base at block ${base.height}.`,
      );
    const manifest = { ...whole, parts, bases: [base] };
    await checkNumbers(this.#source, manifest, base, this.#options.signal);
    const first = parts[0]?.from ?? base.height;
    await coverRange(this.#client, ROWS_BY_POSITION, first, base.height, spanOf('rows', null));
    await begin(this.#client, manifest, async () => {
      await putAside(this.#client);
      const loads = {
        present: [...presentOf(manifest, base), ...blocksOf(manifest)],
        added: addedOf(manifest),
        past: pastOf(manifest),
      };
      for (const stage of STAGES) await dropIndexes(this.#client, largeTables(loads[stage]), stage);
    });
    return manifest;
  }

  async #takePresent(manifest: Manifest, base: Base): Promise<void> {
    const stages = await readNotes(this.#client, 'stage');
    if (stages.has('present')) return;
    await this.#loadAll(presentOf(manifest, base), 'present');
    await makeIndexes(this.#clients, 'present');
    await this.#client.query('ANALYZE');
    await inTransaction(this.#client, async () => {
      for (const { file } of blocksOf(manifest)) {
        await using checked = await this.#source.take(file, this.#options.signal);
        await copyFile(this.#client, file, checked, 'rows');
        this.#count('present', file, 0);
      }
      await checkDigests(this.#client, manifest);
      await this.#client.query(
        `INSERT INTO networks (chain_id, history_from, past_from, skipped_events, kept_from_of, summed_from_of, past_from_of)
         VALUES ($1, $2, $2, $3, $4, $5, $4)`,
        [
          ...[manifest.chain, base.position, base.skippedEvents],
          ...[writePositions(base.keptFromOf), writePositions(base.summedFromOf)],
        ],
      );
      await note(this.#client, 'stage', 'present');
      // Gateways that serve the empty database take it up.
      await this.#client.query('SELECT pg_notify($1, $2)', [BLOCK_CHANNEL, `${base.height}`]);
    });
  }

  async #takeAdded(manifest: Manifest, base: Base): Promise<void> {
    if ((await readNotes(this.#client, 'stage')).has('added')) return;
    await this.#loadAll(addedOf(manifest), 'added');
    await this.#dropForgotten(base);
    await checkAdded(this.#client, base);
    await makeIndexes(this.#clients, 'added');
    await this.#client.query(`ANALYZE ${ROWS_BY_POSITION.map(nameToCome).join(', ')}`);
    await bringBack(this.#client, [`INSERT INTO ${PROGRESS_TABLE} VALUES ('stage', 'added', '')`]);
  }

  async #takePast(manifest: Manifest, base: Base): Promise<void> {
    const first = manifest.parts[0]?.from ?? base.height;
    await coverRange(this.#client, HISTORIES, first, base.height, spanOf('changes', null));
    await this.#loadAll(pastOf(manifest), 'past');
    await makeIndexes(this.#clients, 'past');
    await checkChain(this.#url, manifest, base);
    // These take long: whoever is ended here goes on as anywhere.
    await this.#client.query('VACUUM');
    // All else was looked at when it came.
    await this.#client.query(`ANALYZE ${['blocks', ...HISTORIES].join(', ')}`);
    await inTransaction(this.#client, async () => {
      await this.#client.query(
        `UPDATE networks SET past_from = $1, history_from = greatest($1,
           (SELECT max(position::bigint) - 1 FROM jsonb_each_text(kept_from_of) AS kept (name, position)))`,
        [manifest.pastFrom],
      );
      await end(this.#client);
      await this.#client.query('SELECT pg_notify($1, $2)', [BLOCK_CHANNEL, `${base.height}`]);
    });
  }

  /** Parts may have rows that the database which wrote the base has dropped since. Its counts are without them. */
  async #dropForgotten({ keptFromOf }: Base): Promise<void> {
    for (const table of ROWS_BY_POSITION)
      if (keptFromOf[table] !== undefined)
        await this.#client.query(`DELETE FROM ${nameToCome(table)} WHERE created_position < $1`, [
          keptFromOf[table],
        ]);
  }

  /** Loads what is not there yet, on all connections side by side. */
  async #loadAll(loads: readonly Load[], stage: Stage): Promise<void> {
    const done = await readNotes(this.#client, 'file');
    const missing = loads.filter(({ file, as }) => !done.has(`${as} ${file.name}`));
    const of = missing.reduce((sum, { file }) => sum + file.rows, 0);
    // The largest come first, so that none is left alone at the end.
    const queue = [...missing].sort((one, other) => other.file.rows - one.file.rows);
    await sideBySide(this.#clients, queue, async (client, { file, as }, failing) => {
      await using checked = await this.#source.take(file, AbortSignal.any([this.#options.signal, failing]));
      await loadFile(client, file, checked, as);
      this.#count(stage, file, of);
    });
  }

  #count(stage: Stage, { rows }: PartFile, of: number): void {
    this.#rows[stage] += rows;
    this.#options.onProgress?.({ stage, rows: this.#rows[stage], of });
  }
}
