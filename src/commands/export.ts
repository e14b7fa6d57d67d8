import type { Command } from 'commander';
import { readBlocks, readPartsTarget } from './arguments.ts';
import { addExamples } from './help.ts';
import { loadParts } from './load-parts.ts';
import { describeRate } from './rates.ts';
import { openReadable } from './readable-place.ts';
import { type Job, type Run, sayRetry } from './run.ts';

/** Of what the network has in a day, at two blocks a second. */
const BLOCKS_PER_PART = 100_000;
const STOPPED = 'Stopped: the parts that are whole stay, and the next run goes on behind them.';

export function addExport(program: Command, run: Run): void {
  const command = program
    .command('export')
    .description(
      'write all that the database holds as Parquet files that never change, beyond those that are there',
    )
    .argument(
      '<folder>',
      'where to; it is made where it is not there. Or a bucket, s3://BUCKET/FOLDER, by the keys of the environment',
      readPartsTarget,
    )
    .option(
      '--blocks-per-part <number>',
      'a part ends where the height is a multiple of it',
      readBlocks,
      BLOCKS_PER_PART,
    )
    .option(
      '--closed',
      'only parts that are whole; what is behind the last waits for a later run, and no base is written',
    )
    .action((folder: string, options: ExportFlags) =>
      run((job) => exportTo(job, folder, options), { stopped: STOPPED }),
    );
  addExamples(command, [
    ['periscope export /srv/parts', 'the embedded database; again later, what has come since'],
    ['DATABASE_URL=postgres://… periscope export /srv/parts', 'a server of your own, or a replica of it'],
    ['periscope export s3://bucket/parts', 'into a bucket, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    ['periscope export /srv/parts --closed', 'for those who read files alone'],
  ]);
}

interface ExportFlags {
  readonly blocksPerPart: number;
  readonly closed?: true;
}

async function exportTo(
  { config, stop, signal }: Job,
  folder: string,
  { blocksPerPart, closed }: ExportFlags,
): Promise<void> {
  const { exportParts } = await loadParts();
  await using place = await openReadable(config, stop);
  const begin = performance.now();
  try {
    const options = {
      blocksPerPart: BigInt(blocksPerPart),
      isClosedOnly: closed === true,
      signal,
      bucket: config.bucket,
      onRetry: sayRetry,
    };
    const { chain, height, parts, base, files, rows, bytes } = await exportParts(place.url, folder, options);
    const upTo = height === null ? 'no part is whole yet' : `there are parts up to block ${height}`;
    const wrote = `${parts} parts${base === null ? '' : `, and a base at block ${base}`}`;
    const figures = `${files} files, ${rows} rows, ${bytes} bytes, ${describeRate(rows, begin)}`;
    process.stdout.write(`Exported ${chain} to ${folder}: ${upTo}. Written: ${wrote}; ${figures}.\n`);
  } catch (error) {
    throw await place.explain(error);
  }
}
