import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { gatewayErrorOf } from '../errors.ts';
import { joinMachine, Line, type Membership } from './membership.ts';

/** A gateway, as far as a worker goes. */
interface Served {
  close(): Promise<void>;
}

/**
 * Serves as one of several until the primary has all of them stop. What hinders it is told to the primary, which says
 * so; `start` starts the gateway.
 */
export async function runWorker(options: {
  readonly config: Config;
  readonly logger: Logger;
  readonly start: (serving: {
    readonly config: Config;
    readonly databaseUrl: string;
    readonly logger: Logger;
    readonly membership: Membership;
  }) => Promise<Served>;
  /** What a person is told of an error. */
  readonly explain: (error: Error) => string;
}): Promise<void> {
  const line = await Line.open(options.config.workers.stallMs);
  const { databaseUrl, place, poolSize } = line.beginning;
  const config = { ...options.config, database: { ...options.config.database, poolSize } };
  const logger = options.logger.child({ worker: place });
  let drain = () => {};
  const draining = new Promise<void>((resolve) => {
    drain = resolve;
  });
  try {
    const membership = joinMachine(line, config, logger, () => drain());
    const gateway = await options.start({ config, databaseUrl, logger, membership });
    await draining;
    await gateway.close();
  } catch (error) {
    const message = options.explain(error as Error);
    const isMistake = error instanceof ConfigError;
    const isPassing = gatewayErrorOf(error)?.code === 'UNAVAILABLE';
    await line.sendLast({ kind: 'failed', message, isMistake, isPassing });
    process.exit(1);
  }
  // Node's cluster ends the process with that.
  process.disconnect();
}
