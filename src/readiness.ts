import type { Logger } from 'pino';
import { readStanding, type Standing } from './data/queries/standing.ts';
import type { Reading } from './data/servers/reading.ts';
import { describeHindrance, describeRemedies, type Hindrance } from './data/writing/hold-ups.ts';
import { createHealth, type Health } from './http/pages/health.ts';

interface ReadinessOptions {
  readonly database: Reading;
  readonly logger: Logger;
  /** Whether a gateway is ready for reads while ingest is held up. */
  readonly isReadyWhileHeldUp: boolean;
  /** What hinders the ingest of this process, where it has one: the database may not have been told. */
  readonly findHindrance?: (() => Hindrance | null) | undefined;
  /** What whoever runs the gateway is told besides. */
  readonly describe: () => object;
}

/**
 * Says whether a gateway can serve: while its database answers, and ingest is not held up at something that it cannot
 * take. That one it knows from the database, whoever takes events in; both are one statement for probes that come together.
 */
export function createReadiness(options: ReadinessOptions): Health {
  const { database, logger, isReadyWhileHeldUp, findHindrance = () => null } = options;
  let standing: Standing | null = null;
  const look = sharing(async () => {
    standing = await readStanding(database.statements);
    return standing;
  });
  const hindrance = () => findHindrance() ?? standing?.holdUp ?? null;
  const checks = [
    { name: 'database', check: () => checkDatabase(database, look, logger) },
    {
      name: 'ingest',
      async check() {
        // Without an answer, what was last known is still the best that there is.
        await look().catch(() => null);
        const found = hindrance();
        return found === null || isReadyWhileHeldUp ? null : describeHindrance(found);
      },
    },
  ];
  return createHealth(checks, logger, {
    describe() {
      const found = hindrance();
      const skipped = standing?.skippedEvents ?? 0n;
      return {
        ...options.describe(),
        ...(found && { ingest: `${describeHindrance(found)}. ${describeRemedies(found)}` }),
        ...(standing?.takesBase && {
          base: 'being taken in; questions about what is not there yet are refused',
        }),
        ...(skipped > 0n && { skippedEvents: String(skipped) }),
      };
    },
  });
}

/** Who asks while it is found out gets the same answer. */
function sharing<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

async function checkDatabase(
  database: Reading,
  look: () => Promise<unknown>,
  logger: Logger,
): Promise<string | null> {
  const servers = database.servers?.();
  if (servers?.every(({ state }) => state !== 'used'))
    return `has no server that may be read: ${describeServers(servers)}`;
  try {
    await look();
    return null;
  } catch (err) {
    logger.warn({ err }, 'the database cannot be reached');
    return 'cannot be reached';
  }
}

function describeServers(servers: NonNullable<ReturnType<NonNullable<Reading['servers']>>>): string {
  return servers
    .map(
      ({ name, state, lagBlocks }) =>
        `${name} is ${state}${state === 'lagging' ? ` by ${lagBlocks} blocks` : ''}`,
    )
    .join(', ');
}
