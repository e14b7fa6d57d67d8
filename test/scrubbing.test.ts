import pino from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createMetrics, TEXT_TYPE, writeMetrics } from '../src/metrics/metrics.ts';
import { startScrubbing } from '../src/scrubbing.ts';
import { createDisposableDatabase } from './support/database.ts';

test('the primary is read again that was away at the start, and the replica that was opened in its place once', async () => {
  await using replica = await createDisposableDatabase();
  const metrics = createMetrics('1.2.3');
  await using _ = startScrubbing({
    config: readConfig({
      DATABASE_URL: 'postgres://somebody@127.0.0.1:1/away',
      DATABASE_REPLICA_URLS: replica.url,
      SCRUB_ROWS_PER_SECOND: '1000',
    }),
    databaseUrl: replica.url,
    logger: pino({ level: 'silent' }),
    metrics,
  });
  const text = await writeMetrics([await metrics.read()], TEXT_TYPE);
  const servers = [...text.matchAll(/^periscope_scrub_rows_total\{server="(.+)"\}/gm)].map(
    ([, name]) => name,
  );
  expect(servers).toEqual(['127.0.0.1:1', new URL(replica.url).host || 'embedded']);
});
