import type { Logger } from 'pino';
import { createHealth, type Health } from '../http/pages/health.ts';
import type { RelayCounts } from '../ingest/log/relay-counts.ts';

/**
 * Says whether a relay can relay: while a server of the log has it, and a core node dials it where one is listened for. Whether
 * it leads, and why blocks wait, stands in the answer besides: one that follows another is as ready.
 */
export function createRelayHealth(counts: RelayCounts, logger: Logger): Health {
  const checks = [
    {
      name: 'log',
      check: async () => (counts.isLogConnected ? null : 'has no server that this relay is connected to'),
    },
    {
      name: 'core node',
      check: async () => (counts.source.isConnected === false ? 'is not connected' : null),
    },
  ];
  return createHealth(checks, logger, {
    describe() {
      const { newest, isLeading, waiting, trouble } = counts;
      return { newest: newest && `${newest.height}`, isLeading, waiting, ...(trouble && { trouble }) };
    },
  });
}
