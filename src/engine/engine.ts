import type { DocumentNode, ExecutionResult, OperationTypeNode } from 'graphql';
import { createStatementBound, type StatementBound } from '../data/servers/bounded-statements.ts';
import type { Rejection } from '../errors.ts';
import { createContext, type GatewayServices, type Payer } from '../graphql/context.ts';
import { COST_OF, COST_OF_THE_PAST, OPERATION_LIMITS } from '../graphql/costs.ts';
import { schema } from '../graphql/index.ts';
import type { KeptAnswers } from '../http/kept-answers.ts';
import type { Admission } from '../http/limits/admission.ts';
import { COST_OF_ASKING, type RateLimiter } from '../http/limits/rate-limiter.ts';
import type { Turns } from '../http/limits/turns.ts';
import type { Caller, RequestScope } from '../http/request-scope.ts';
import type { Answer } from '../http/write/answer.ts';
import { takeStep } from '../steps.ts';
import { errorsOf } from './client-errors.ts';
import { type Documents, nameOperation } from './documents/documents.ts';
import type { PersistedOperations } from './documents/persisted-operations.ts';
import { DocumentReader, type ReadDocument } from './documents/reader.ts';
import { type OperationTimes, statusOfOutcome, statusOfResult } from './operation-times.ts';
import { costOf, costOfTold } from './price/cost.ts';
import { checkPrice, checkTold } from './price/limits.ts';
import { costOfValues } from './price/lists.ts';
import { COST_OF_READING } from './price/reading.ts';
import type { OperationProtocol } from './protocol.ts';
import type {
  Asked,
  Operation,
  OperationOutcome,
  OperationReader,
  QueryOutcome,
  Question,
} from './question.ts';
import { NOT_KEPT } from './run/json-result.ts';
import type { Pay } from './run/paid-events.ts';
import { prepareOperation } from './run/prepared.ts';
import type { SubscribeFor } from './run/subscribe.ts';
import { dropUndeclared, findWrongVariables } from './run/variables.ts';

export interface EngineParts {
  readonly services: GatewayServices;
  readonly stored: PersistedOperations;
  readonly documents: Documents;
  readonly kept: KeptAnswers;
  readonly limiter: RateLimiter | null;
  readonly turns: Turns;
  readonly admission: Admission;
  readonly times: OperationTimes;
  readonly subscribeFor: SubscribeFor;
}

/** The one way of every question, whatever transport brought it. Transports know no check of their own. */
export class Engine implements OperationReader {
  readonly #parts: EngineParts;
  readonly #reader: DocumentReader;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#reader = new DocumentReader(parts);
  }

  /** The kept answer under a key: all bytes that ask for it, so that nothing of them is read. */
  findKept(key: string): Answer | undefined {
    const { kept, times } = this.#parts;
    const answer = kept.find(key);
    const name = (answer as NamedAnswer | undefined)?.[OPERATION_NAME];
    if (name !== undefined) times.addKept(name);
    return answer;
  }

  /**
   * Answers a question over HTTP: crowded? -> kept? -> read -> run -> keep. Rejects with what is wrong. Where it is crowded, gives
   * the rejection: to throw it would be a good part of what it costs.
   */
  answer(question: Question): Rejection | Promise<Answer> {
    const { kept, admission } = this.#parts;
    const rejection = admission.rejectionFor(question.scope.client);
    return rejection ?? kept.ask(question.key, (scope) => this.#make(question, scope), question.scope);
  }

  async #make(question: Question, scope: RequestScope) {
    const read = () => question.read(this);
    const operation = await this.#reader.readBytes(scope.client, question.bytes, read);
    const outcome = await this.run(operation, scope);
    const written = question.write(outcome);
    // A turn of its own is dear where nothing is waited for.
    const value = written instanceof Promise ? await written : written;
    // The times of requests have those of the documented paths.
    if (operation.protocol !== 'rest')
      (value as NamedAnswer)[OPERATION_NAME] = operation.node.name?.value ?? null;
    return { value, cacheTags: outcome.tags };
  }

  /** Charges a client for what is no operation. Throws, or rejects, where it may not have as much. */
  charge(client: string, cost: number): void | Promise<void> {
    return this.#parts.limiter?.charge(client, cost);
  }

  /**
   * Lets a request through the layers of the application, which are dear whatever comes of it there: crowded? -> charge.
   * Rejects before anybody looks at what is asked.
   */
  async enterLayers({ client }: Pick<Caller, 'client'>): Promise<void> {
    const { limiter, admission } = this.#parts;
    const rejection = admission.rejectionFor(client);
    if (rejection !== null) throw rejection;
    await limiter?.charge(client, COST_OF_ASKING.layers);
  }

  /** Reads the bytes that a client sends: charge -> wait for a turn -> read. Rejects with what `read` throws. */
  readBytes<Result>(client: string, bytes: number, read: () => Result): Promise<Awaited<Result>> {
    return this.#reader.readBytes(client, bytes, read);
  }

  /**
   * Reads a message of a socket: charge, as soon as its client has as much -> wait for a turn -> read. At once where there is nothing to
   * wait for. Rejects with UNAVAILABLE where its turn would come too late.
   */
  readMessage<Result>(
    client: string,
    bytes: number,
    signal: AbortSignal,
    read: () => Result,
  ): Result | Promise<Result> {
    return this.#reader.readMessage(client, bytes, signal, read);
  }

  /**
   * Reads what a client sends: parameters -> stored text -> charge -> parse -> validate -> price -> charge. At once where
   * its document is known. Throws, or rejects with, what is wrong.
   */
  read(given: unknown, protocol: OperationProtocol, client: string): Operation | Promise<Operation> {
    const price = ({ params: { variables, operationName: name }, document }: ReadDocument) => {
      if (variables !== null) dropUndeclared(nameOperation(document, name), variables);
      return this.price(document, variables ?? {}, protocol, { name, client });
    };
    const read = this.#reader.read(given, client);
    return read instanceof Promise ? read.then(price) : price(read);
  }

  /** What kind of operation is asked for, be it one that can be answered or not; null where that cannot be read. */
  typeOf(given: unknown, client: string): Promise<OperationTypeNode | null> {
    return this.#reader.typeOf(given, client);
  }

  /** Prices an operation of a valid document. Throws INVALID_ARGUMENT for one that may not be asked for. */
  price(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    protocol: OperationProtocol,
    { name, asOf = null, client }: Asked = {},
  ): Operation {
    const node = nameOperation(document, name);
    const operationName = name ?? null;
    const own = costOf({ schema, document, operationName, variableValues: variables }, (fields) => {
      if (client !== undefined) this.#parts.limiter?.spend(client, COST_OF_READING.priced * fields);
    });
    const cost = own.cost * (asOf === null ? 1 : COST_OF_THE_PAST);
    const unread =
      COST_OF_READING.unread * Math.max(0, Math.min(own.places, OPERATION_LIMITS.places) - own.cost);
    // Where it is read, a list is in the cost of its field.
    const price = { ...own, cost: Math.max(cost, costOfValues(variables)) + unread };
    checkPrice(price);
    return { document, operationName, node, variables, price, protocol, asOf };
  }

  /** Runs a query: charge -> admit -> run. Rejects with what admits it not; what fails in it stands in the result. */
  run(operation: Operation, caller: Caller): Promise<QueryOutcome> {
    const { name } = operation.node;
    return this.#parts.times.time(
      operation,
      () => this.admit(caller, operation.price.cost, () => this.execute(operation, caller), name?.value),
      statusOfOutcome,
    );
  }

  /** Does work that costs so much: once its client is charged, and as soon as there is room for it. */
  async admit<Result>(
    caller: Caller,
    cost: number,
    work: () => Promise<Result>,
    name?: string,
  ): Promise<Result> {
    const { limiter, admission } = this.#parts;
    const { client, signal, steps } = caller;
    const charging = limiter?.charge(client, cost);
    // A turn of its own is dear where nothing is waited for.
    if (charging !== undefined) await charging;
    const given = admission.admit(client, cost, signal);
    const release =
      typeof given === 'function' ? given : await takeStep(steps, 'admission', undefined, () => given);
    try {
      return await takeStep(steps, 'operation', name, work);
    } finally {
      release();
    }
  }

  /** Gives what executes queries that were admitted as one: they have no more statements under way than one has. */
  executeAsOne(caller: Caller): (operation: Operation) => Promise<QueryOutcome> {
    const bound = createStatementBound();
    return (operation) => this.execute(operation, caller, bound);
  }

  /** Executes a query that was admitted. Rejects where the block as of which it is asked is not there. */
  async execute(operation: Operation, caller: Caller, bound?: StatementBound): Promise<QueryOutcome> {
    const { document, operationName, variables, price, asOf } = operation;
    const { services, turns } = this.#parts;
    const present = createContext(services, caller, this.#payer(caller.client), bound);
    const [context = present] = asOf === null ? [] : await present.asOf([asOf]);
    const prepared = prepareOperation(document, operationName);
    // Root fields are read side by side: one that was read before the block could be older than it.
    if (prepared.asksForBlock) await context.newestBlock();
    const outcome = await turns.do(caller.client, 0, 'usual', () => prepared.run(variables, context));
    const pasts = await present.confirmPasts();
    const tags = present.dependencies.tags();
    // A later version may describe its schema otherwise.
    const isFinal = pasts.length > 0 && tags?.length === 0 && price.introspection === 0;
    return Object.assign(outcome, { tags, asOf: context.past, isFinal });
  }

  /** What a count reads, and what blocks change, is known when it is read. */
  #payer(client: string): Payer {
    const spend = (cost: number) => this.#parts.limiter?.spend(client, cost);
    return {
      client,
      charge: (rows) => spend(rows * COST_OF.countedRow),
      admitTold(field, read, times) {
        const { asked, told } = costOfTold(field, read);
        checkTold(told, read);
        spend(times * Math.max(0, told - asked));
      },
    };
  }

  /** Begins a subscription: charge -> quota -> subscribe. Gives the errors of one that cannot begin. */
  subscribe(operation: Operation, { client }: Caller) {
    const { limiter, subscribeFor, times } = this.#parts;
    const { document, operationName, variables, protocol } = operation;
    const begin = async () => {
      await limiter?.charge(client, COST_OF_ASKING.stream + costOfValues(variables));
      const errors = findWrongVariables(operation.node, variables);
      if (errors !== undefined) return { errors };
      const args = { schema, document, operationName, variableValues: variables };
      if (limiter === null) return subscribeFor(client, protocol)(args);
      const pay: Pay = (cost, signal) => limiter.chargeInTime(client, cost, signal);
      return subscribeFor(client, protocol)({ ...args, pay });
    };
    return times.time(operation, begin, (begun) => statusOfResult(begun as ExecutionResult));
  }

  /** Counts an operation that a transport rejects before it is read. */
  noteRejected(protocol: OperationProtocol, error: unknown): void {
    this.#parts.times.addRefused(protocol, error);
  }

  /**
   * Does what a client asks by a message whose bytes are charged, whatever it is. Never rejects: what is wrong is what it
   * comes to.
   */
  async operate(given: unknown, caller: Caller, protocol: OperationProtocol): Promise<OperationOutcome> {
    const { client } = caller;
    let operation: Operation | null = null;
    try {
      operation = await this.#parts.turns.do(client, 0, 'usual', () => this.read(given, protocol, client));
      if (operation.node.operation !== 'subscription') return await this.run(operation, caller);
      const begun = await this.subscribe(operation, caller);
      if (Symbol.asyncIterator in begun) return { kind: 'stream', results: begun };
      return { kind: 'result', result: begun as ExecutionResult, ...NOT_KEPT };
    } catch (error) {
      if (operation === null) this.noteRejected(protocol, errorsOf(error)[0]);
      return { kind: 'rejected', errors: errorsOf(error) };
    }
  }
}

/** Kept on the answer, since a WeakMap of as many as there are questions keeps the garbage collector busy. */
const OPERATION_NAME = Symbol('operation name');
type NamedAnswer = Answer & { [OPERATION_NAME]?: string | null };
