import type { Command } from 'commander';
import { openPlace } from '../data/open.ts';
import type { BaseProgress } from '../data/parts/ingest-base.ts';
import { GatewayError } from '../errors.ts';
import { readPartsPlace } from './arguments.ts';
import { addExamples } from './help.ts';
import { loadParts } from './load-parts.ts';
import { describeRate } from './rates.ts';
import { type Job, type Run, sayRetry } from './run.ts';

/** How a run ends where nothing has to be changed before the next one. */
export const NEXT_GOES_ON = 'the files that are in stay, and the next run goes on with the others.';
const STOPPED = `Stopped: ${NEXT_GOES_ON}`;

export function addBase(ingest: Command, run: Run): void {
  const command = ingest
    .command('base')
    .description(
      'what export wrote, into an empty database: the newest base first, then what was before it; again, to go on',
    )
    .argument(
      '<place>',
      'the folder, the address of one (https://…), or a bucket (s3://BUCKET/FOLDER)',
      readPartsPlace,
    )
    .action((place: string) =>
      run((job) => ingestFrom(job, place).catch(explainUnavailable), { stopped: STOPPED }),
    );
  addExamples(command, [
    ['DATA_DIR=/srv/new periscope ingest base /srv/parts', 'into a new embedded database'],
    [
      'periscope ingest base https://files.example/parts',
      'from a web server, a CDN or a bucket that all may read',
    ],
    ['periscope ingest base s3://bucket/parts', 'from a bucket, by the keys of the environment'],
  ]);
}

async function ingestFrom({ config, stop, signal }: Job, from: string): Promise<void> {
  const { ingestBase, openSource } = await loadParts();
  const begin = performance.now();
  await using place = await openPlace(config.database, { stop });
  await using source = await openSource(from, signal, config.bucket, sayRetry);
  const show = createReport();
  try {
    const onPresent = () =>
      process.stderr.write(
        `The present is there, ${describeRate(show.rows(), begin)}. Rewards and trades follow, and what was before.\n`,
      );
    const { chain, height, rows, isResumed } = await ingestBase(place.url, source, {
      signal,
      onPresent,
      onProgress: show.update,
    });
    const total = rows.present + rows.added + rows.past;
    const how = isResumed ? 'Gone on with, and took' : 'Took';
    process.stdout.write(
      `${how} ${chain} up to block ${height} into ${place.name}: ${rows.present} rows of the present, ${rows.added} rewards and trades, ${rows.past} rows of the past; ${describeRate(total, begin)}.\n`,
    );
  } catch (error) {
    throw await place.explain(error);
  }
}

/** What was away, as the place of the parts, or had no room may do next time. */
function explainUnavailable(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'UNAVAILABLE') throw error;
  throw Object.assign(new GatewayError('UNAVAILABLE', `${error.message} Even so, ${NEXT_GOES_ON}`), {
    cause: error,
  });
}

const REPORT_EVERY_MS = 5_000;

const CALLED: Readonly<Record<BaseProgress['stage'], string>> = {
  present: 'rows of the present',
  added: 'rewards and trades',
  past: 'rows of the past',
};

/** A line every five seconds at most. */
function createReport() {
  let last = performance.now();
  let all = 0;
  let before = 0;
  let stage = '';
  return {
    rows: () => all,
    update(progress: BaseProgress): void {
      if (progress.stage !== stage) before = all;
      stage = progress.stage;
      all = before + progress.rows;
      if (performance.now() - last < REPORT_EVERY_MS) return;
      last = performance.now();
      const of = progress.of === 0 ? '' : ` of ${progress.of}`;
      process.stderr.write(`${progress.rows}${of} ${CALLED[progress.stage]}\n`);
    },
  };
}
