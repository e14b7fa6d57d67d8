import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { IngestCounts } from '../ingest/ingest-counts.ts';
import type { OpenMetrics } from '../metrics/serve.ts';
import { VERSION } from '../reference/about.ts';

/** Opens the metrics of this process, with those of its ingest where it has one. Whoever opens them closes them. */
export async function openProcessMetrics(
  config: Config,
  logger: Logger,
  ingest: (() => IngestCounts) | null,
): Promise<OpenMetrics> {
  const [{ openMetrics }, { defineIngestMetrics }] = await Promise.all([
    import('../metrics/serve.ts'),
    import('../metrics/ingest.ts'),
  ]);
  const metrics = await openMetrics(config, VERSION, logger);
  if (ingest !== null) defineIngestMetrics(metrics.registry, ingest);
  return metrics;
}

/** The same for a process that only takes in, which has them on METRICS_PORT or nowhere: null then. */
export async function openIngestMetrics(
  config: Config,
  logger: Logger,
  ingest: () => IngestCounts,
): Promise<OpenMetrics | null> {
  return config.metrics.port === null ? null : openProcessMetrics(config, logger, ingest);
}
