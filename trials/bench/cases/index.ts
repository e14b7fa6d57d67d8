import type { BenchCase } from '../bench.ts';
import { coldNewest } from './cold-newest.ts';
import { coldParty } from './cold-party.ts';
import { coldRow } from './cold-row.ts';
import { coldThousand } from './cold-thousand.ts';
import { compressed } from './compressed.ts';
import { eventLoop } from './event-loop.ts';
import { farEnd } from './far-end.ts';
import { ingest } from './ingest.ts';
import { linked } from './linked.ts';
import { liveSeries } from './live-series.ts';
import { log } from './log.ts';
import { markets } from './markets.ts';
import { memory } from './memory.ts';
import { notModified } from './not-modified.ts';
import { overload } from './overload.ts';
import { past } from './past.ts';
import { repeatGraphql } from './repeat-graphql.ts';
import { repeatRest } from './repeat-rest.ts';
import { sizes } from './sizes.ts';
import { startUp } from './start-up.ts';
import { streamLatency } from './stream-latency.ts';
import { streamThroughput } from './stream-throughput.ts';
import { manyParties, oneParty } from './subscribers.ts';
import { totalCount } from './total-count.ts';
import { workers } from './workers.ts';

/** Every case, in the order of the table. */
export const cases: readonly BenchCase[] = [
  repeatRest,
  repeatGraphql,
  notModified,
  coldRow,
  coldNewest,
  coldParty,
  coldThousand,
  compressed,
  markets,
  linked,
  totalCount,
  farEnd,
  past,
  oneParty,
  manyParties,
  liveSeries,
  streamThroughput,
  streamLatency,
  ingest,
  log,
  sizes,
  startUp,
  memory,
  eventLoop,
  overload,
  workers,
];
