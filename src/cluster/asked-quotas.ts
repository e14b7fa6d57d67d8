import { GatewayError } from '../errors.ts';
import type { QuotaName, Quotas } from '../http/limits/quota.ts';
import type { Calls } from './calls.ts';
import type { ToPrimary } from './messages.ts';

/** The quotas of the machine, as a worker takes from them: the primary counts. */
export function createAskedQuotas(calls: Calls, send: (message: ToPrimary) => void): Quotas {
  let last = 0;
  const quotaOf = (quota: QuotaName) => ({
    async take(client: string) {
      const grant = ++last;
      let isTaken = true;
      const giveBack = () => {
        if (isTaken) send({ kind: 'giveBack', grant });
        isTaken = false;
      };
      const refusal = await calls.ask<'quota'>({ about: 'quota', quota, client, grant }, giveBack);
      if (refusal !== null) throw new GatewayError('RESOURCE_EXHAUSTED', refusal);
      return giveBack;
    },
  });
  return { streams: quotaOf('streams'), sockets: quotaOf('sockets'), eventStreams: quotaOf('eventStreams') };
}
