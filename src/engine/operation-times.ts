import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, parse } from 'graphql';
import type { ErrorCode } from '../errors.ts';
import { Durations } from '../http/watch/durations.ts';
import { codeOf } from './client-errors.ts';
import type { OperationProtocol } from './protocol.ts';
import type { QueryOutcome } from './question.ts';

/** The operations of one kind and name that came on one protocol and ended alike. */
export interface OperationSeries {
  readonly type: 'query' | 'subscription' | 'unknown';
  readonly name: string;
  readonly protocol: OperationProtocol;
  /** `ok`, or the code of its first error. */
  readonly status: 'ok' | ErrorCode;
  readonly durations: Durations;
}

/** How many names metrics take where no list says which operations there are. */
const MOST_NAMES = 100;
/** How often one of them gives way to another: who stores metrics keeps each name that ever was. */
const TURN_MS = 60_000;
const LONGEST_NAME = 100;
/** What a client calls its operation when there are as many names already; without a name; and one that cannot be read. */
const OTHER = 'other';
const ANONYMOUS = 'anonymous';
const RESERVED: readonly string[] = [OTHER, ANONYMOUS];

/**
 * How long operations took, by kind and name. Names are what clients write, so there are only those of the documents of
 * `list`; without a list, a hundred of documents that were found valid. Once a minute the one that was not asked for
 * longest, and what was counted of it, gives way to a new one: what a client makes up and asks no more goes again, and
 * what is asked all the time stays.
 */
export class OperationTimes {
  /** With when each was last asked for. */
  readonly #names: Map<string, number>;
  readonly #mostNames: number;
  #lastTurn = performance.now();
  readonly #series = new Map<string, OperationSeries>();
  readonly #kept = new Map<string, { readonly name: string; count: number }>();

  constructor(list: ReadonlyMap<string, string> | null) {
    const listed = list === null ? [] : [...list.values()].flatMap(namesIn);
    this.#names = new Map(listed.map((name) => [name, 0]));
    this.#mostNames = list === null ? MOST_NAMES : 0;
  }

  get series(): Iterable<OperationSeries> {
    return this.#series.values();
  }

  /** How many operations of each name were answered with what was kept. */
  get kept(): Iterable<{ readonly name: string; readonly count: number }> {
    return this.#kept.values();
  }

  /** Takes the time of an operation that began at `start`, and gives its result. */
  async time<Result>(
    operation: Pick<OperationSeries, 'protocol'> & NamedDocument,
    run: () => Promise<Result>,
    statusOf: (result: Result) => OperationSeries['status'],
  ): Promise<Result> {
    // The times of requests have those of the documented paths.
    if (operation.protocol === 'rest') return run();
    const start = performance.now();
    let status: OperationSeries['status'] = 'INTERNAL';
    try {
      const result = await run();
      status = statusOf(result);
      return result;
    } catch (error) {
      status = codeOf(error);
      throw error;
    } finally {
      this.#add(operation, status, performance.now() - start);
    }
  }

  /** Counts an operation that could not begin. */
  addRefused(protocol: OperationProtocol, error: unknown): void {
    this.#durationsOf({ type: 'unknown', name: OTHER, protocol, status: codeOf(error) }).add(0);
  }

  /** Counts a query, by its name if it has one, that was answered with what was kept. */
  addKept(given: string | null): void {
    const name = this.#nameOf(given);
    const kept = this.#kept.get(name) ?? { name, count: 0 };
    kept.count += 1;
    this.#kept.set(name, kept);
  }

  #add(
    asked: Pick<OperationSeries, 'protocol'> & NamedDocument,
    status: OperationSeries['status'],
    ms: number,
  ): void {
    const operation = getOperationAST(asked.document, asked.operationName);
    const type = operation?.operation === 'subscription' ? 'subscription' : 'query';
    this.#durationsOf({
      type,
      name: this.#nameOf(operation?.name?.value),
      protocol: asked.protocol,
      status,
    }).add(ms);
  }

  #durationsOf(labels: Omit<OperationSeries, 'durations'>): Durations {
    const key = `${labels.type} ${labels.name} ${labels.protocol} ${labels.status}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known.durations;
    const durations = new Durations();
    this.#series.set(key, { ...labels, durations });
    return durations;
  }

  #nameOf(name: string | null | undefined): string {
    if (!name) return ANONYMOUS;
    if (RESERVED.includes(name)) return name;
    if (this.#mostNames === 0) return this.#names.has(name) ? name : OTHER;
    if (!this.#names.has(name) && !this.#hasRoomFor(name)) return OTHER;
    this.#names.set(name, performance.now());
    return name;
  }

  #hasRoomFor(name: string): boolean {
    if (name.length > LONGEST_NAME) return false;
    if (this.#names.size < this.#mostNames) return true;
    const now = performance.now();
    if (now - this.#lastTurn < TURN_MS) return false;
    this.#lastTurn = now;
    const [oldest] = [...this.#names].sort(([, one], [, other]) => one - other);
    if (oldest !== undefined) this.#forget(oldest[0]);
    return true;
  }

  /** Not added to what is `other`: that would look as if it had all been asked just now. */
  #forget(name: string): void {
    this.#names.delete(name);
    this.#kept.delete(name);
    for (const [key, series] of this.#series) if (series.name === name) this.#series.delete(key);
  }
}

interface NamedDocument {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

/** The names of a document's operations; none where it cannot be read, which is told when it is asked. */
function namesIn(text: string): readonly string[] {
  try {
    const { definitions } = parse(text, { noLocation: true });
    return definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? (one.name?.value ?? []) : [],
    );
  } catch {
    return [];
  }
}

/** What a result says of its operation. */
export function statusOfResult({ errors }: Pick<ExecutionResult, 'errors'>): OperationSeries['status'] {
  const [error] = errors ?? [];
  return error === undefined ? 'ok' : codeOf(error);
}

/** The same of what a query came to. */
export function statusOfOutcome(outcome: QueryOutcome): OperationSeries['status'] {
  return outcome.kind === 'text' ? 'ok' : statusOfResult(outcome.result);
}
