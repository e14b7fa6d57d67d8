import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Dependencies } from '../../cache/cache-tags.ts';
import { uncapitalize } from '../../domain/text.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Statements } from '../servers/statements.ts';
import { dependenciesOf, type Selection } from './relations.ts';

/** Who a query of Prisma's is sent for, and what the driver said of it where it failed. */
interface Sending {
  readonly statements: Statements;
  failure?: unknown;
}

/** Prisma hands nothing of its callers on to its adapter. */
const sending = new AsyncLocalStorage<Sending>();

/**
 * Prisma's client over the statements of a reader: what it asks goes to the server that is read, within the limits of
 * all that is read. It is for reading. Transactions, which Prisma begins where it asks for very many keys, are none.
 */
export function createModels(statements: Statements): PrismaClient {
  const query = async (config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> => {
    if (TRANSACTION.test(config.text)) return NOTHING;
    const asked = sending.getStore();
    if (asked === undefined) return statements.arrays(config);
    try {
      return await asked.statements.arrays(config);
    } catch (error) {
      asked.failure = error;
      // Prisma adds to what it is thrown.
      throw new Error('A statement failed', { cause: error });
    }
  };
  const connection = { query, on: ignore, removeListener: ignore, release: ignore };
  // Of a pool that is given to it the adapter asks no more than this, and that it is one.
  const pool = Object.assign(Object.create(pg.Pool.prototype), {
    ...connection,
    options: {},
    connect: async () => connection,
  });
  // Else it looks at each query for the place in the source that it came from.
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
}

/** What a client of one operation sends its queries by. */
interface Scope {
  readonly statements: Statements;
  /** Those that end for nobody alone: Prisma asks for what is found by its key together, whoever wants it. */
  readonly shared: Statements;
  readonly dependencies: Dependencies;
}

/**
 * The client for one operation, which depends on all rows of each model that a query reads or includes. What it asks ends
 * with whoever asks, and fails as the driver says it.
 */
export function scopeModels(models: PrismaClient, { statements, shared, dependencies }: Scope): PrismaClient {
  const scoped = models.$extends({
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          const { include } = args as Selection;
          for (const one of dependenciesOf(model, args as Selection)) dependencies.add(one);
          const isTogether = operation === 'findUnique' || operation === 'findUniqueOrThrow';
          const asked: Sending = { statements: isTogether ? shared : statements };
          const given = include ? { ...args, ...EACH_ONCE } : args;
          // What is found by its key is asked for together, as of whatever blocks: of the past each has a query of its own.
          const ask =
            isTogether && statements.isPast
              ? () => findAlone(models, model, operation, given)
              : () => query(given);
          try {
            return await sending.run(asked, async () => await ask());
          } catch (error) {
            throw asked.failure ?? error;
          }
        },
      },
    },
  });
  return scoped as unknown as PrismaClient;
}

/** Finds the row with a key, as a unique row is found, by a query that Prisma puts together with no other. */
function findAlone(models: PrismaClient, model: string, operation: string, args: unknown): Promise<unknown> {
  const delegates = models as unknown as Readonly<Record<string, Readonly<Record<string, Find>>>>;
  const find = delegates[uncapitalize(model)]?.[operation.replace('Unique', 'First')];
  if (find === undefined) throw new TypeError(`${model} has no such query as ${operation}`);
  return find(args);
}

type Find = (args: unknown) => Promise<unknown>;

/** What many rows link to is read once, and not written beside each of them. */
const EACH_ONCE = { relationLoadStrategy: 'query' } as const;

const TRANSACTION = /^(?:BEGIN|COMMIT|ROLLBACK|SET TRANSACTION)\b/;
const NOTHING: pg.QueryArrayResult = { rows: [], fields: [], command: '', rowCount: 0, oid: 0 };

function ignore(): void {}
