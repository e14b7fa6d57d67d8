import type { Dependencies } from '../../cache/cache-tags.ts';
import type { Signal } from '../../signal.ts';
import type { Noun, Positioned } from '../noun.ts';
import { Semaphore } from '../servers/semaphore.ts';
import type { Statements } from '../servers/statements.ts';
import { countedOf } from './count-statements.ts';
import type { CountedFor, Counts } from './counts.ts';
import type { Owner } from './owners.ts';
import { QuestionLoaders } from './question-loaders.ts';
import { readSums, type SumsPage, type SumsRequest } from './sums.ts';

/**
 * Counts and sums of lists: of those that hang off many objects one statement for all objects. Equal ones of an operation are
 * one statement too.
 */
export interface PageLoaders {
  countAll<Row extends Positioned, Filter>(list: Noun<Row, Filter>, filter: Filter): Promise<number>;
  count<Row extends Positioned, Filter>(
    list: Noun<Row, Filter>,
    owner: Owner,
    filter: Filter,
  ): Promise<number>;
  /** Throws FAILED_PRECONDITION where too many rows would be read. */
  sums<Row extends Positioned, Filter>(
    list: Noun<Row, Filter>,
    owner: Owner | null,
    filter: Filter,
    request: SumsRequest,
  ): Promise<SumsPage>;
}

interface CountedBy {
  readonly statements: Statements;
  readonly counts: Counts;
  readonly dependencies: Dependencies;
}

/** `signal` is of whoever asks: nothing more is counted when it is aborted. */
export function createPageLoaders(
  { statements, counts, dependencies }: CountedBy,
  countedFor: CountedFor,
  signal: Signal | undefined,
): PageLoaders {
  const loaders = new QuestionLoaders();
  /** An operation counts one list after the other, so that others have their turn between its many. */
  let counting: Semaphore | undefined;

  function inTurn<T>(count: () => Promise<T>): Promise<T> {
    counting ??= new Semaphore(1);
    return counting.run(count, signal);
  }

  return {
    countAll: (list, filter) =>
      loaders
        .of(['count', list.name, list.conditions(filter)], async () => {
          const count = await inTurn(() => counts.count(list, filter, countedFor));
          return new Map([[WHOLE, count.giveTo(dependencies)]]);
        })
        .load(WHOLE),
    count: (list, { field, key }, filter) =>
      loaders
        .of(['count', list.name, field, list.conditions(filter)], async (keys) => {
          const asked = { field, keys };
          const found = await inTurn(() => counts.countByKey(statements, list, asked, filter, countedFor));
          const counted = found.giveTo(dependencies);
          return new Map(keys.map((one) => [one, counted.get(one) ?? 0]));
        })
        .load(key),
    sums: (list, owner, filter, request) =>
      loaders
        .of(['sums', list.name, owner?.field, list.conditions(filter), request], async (keys) => {
          const asked = countedOf(list, filter, statements.isPast);
          const owners = owner && { field: owner.field, keys };
          const { client, charge } = countedFor;
          const takeTurn = <T>(read: () => Promise<T>) => counts.inTurn(client, read);
          const found = await inTurn(() => readSums(statements, asked, request, owners, takeTurn));
          charge(found.read);
          return found.byKey;
        })
        .load(owner?.key ?? WHOLE),
  };
}

/** The one key of a list that hangs off no object. */
const WHOLE = '';
