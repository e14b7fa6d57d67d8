import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OpenPlace } from '../data/open.ts';
import type { IngestCounts } from '../ingest/ingest-counts.ts';
import type { Health, OpenMetrics } from '../metrics/serve.ts';
import { VERSION } from '../reference/about.ts';
import { spoolFolder } from './core-socket.ts';

/**
 * Opens the metrics of this process: of the disks that it has to do with, and of its ingest where it has one; beside them its
 * health, where that is given. Whoever opens them closes them.
 */
export async function openProcessMetrics(
  config: Config,
  logger: Logger,
  { folder }: Pick<OpenPlace, 'folder'>,
  ingest: (() => IngestCounts) | null,
  health: Health | null = null,
): Promise<OpenMetrics> {
  const [{ openMetrics }, { defineIngestMetrics }, { defineDiskMetrics }] = await Promise.all([
    import('../metrics/serve.ts'),
    import('../metrics/ingest.ts'),
    import('../metrics/disks.ts'),
  ]);
  const metrics = await openMetrics(config, VERSION, logger, health);
  // It may be made later.
  defineDiskMetrics(metrics.registry, { database: folder, spool: spoolFolder(config) });
  if (ingest !== null) defineIngestMetrics(metrics.registry, ingest);
  return metrics;
}

/** Opens the metrics of a process that only takes in, which has them on METRICS_PORT or nowhere: null then. */
export async function openIngestMetrics(
  config: Config,
  logger: Logger,
  place: Pick<OpenPlace, 'folder'>,
  ingest: () => IngestCounts,
): Promise<OpenMetrics | null> {
  return config.metrics.port === null ? null : openProcessMetrics(config, logger, place, ingest);
}
