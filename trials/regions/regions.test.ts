import { expect, test } from 'vitest';
import { NATS_SERVER } from '../../test/support/nats-servers.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { HAPROXY } from '../replicas/primary-proxy.ts';
import { POSTGRES_PROGRAMS } from '../replicas/replicated-postgres.ts';
import { RegionsTrial } from './regions-trial.ts';

/** A round of a few clients in every run of the tests; `npm run regions` has more of both. */
const ROUNDS = Number(process.env['REGIONS_ROUNDS'] ?? 1);
const CLIENTS = Number(process.env['REGIONS_CLIENTS'] ?? 12);

const isAbsent = [NATS_SERVER, HAPROXY, POSTGRES_PROGRAMS].includes(undefined);
if (isAbsent) console.warn('trials/regions is skipped: nats-server, HAProxy or pg_basebackup is not here');

test.skipIf(isAbsent)(
  'regions, clients and answers stay equal while each kind of process between a core node and a client is killed',
  async () => {
    const begun = performance.now();
    const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`;
    await using trial = await RegionsTrial.start(chooseRandom('regions'), CLIENTS);
    console.info(`regions with SEED=${seed}: all of it stands after ${seconds()}`);
    for (let round = 1; round <= ROUNDS; round++) {
      const killed = await trial.killEach();
      if (round === Math.ceil(ROUNDS / 2)) await trial.joinThird();
      await trial.compareAll();
      const { blocks, begunAgain, answers, failures } = trial.told;
      console.info(
        `round ${round} of ${ROUNDS}, ${seconds()}, block ${trial.network.height}: equal. ${blocks} blocks told, ${begunAgain} clients began again, ${answers} answers held to the chain, ${failures} requests failed\n  ${killed.join('\n  ')}`,
      );
    }
    await trial.finish();
    expect(trial.told.answers).toBeGreaterThan(100);
  },
  600_000 + ROUNDS * 300_000,
);
