import { hash } from 'node:crypto';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  print,
  visit,
} from 'graphql';
import type { Logger } from 'pino';
import { type ErrorDetail, GatewayError, gatewayErrorOf, RowsToCome } from '../../errors.ts';
import { createContext, type GatewayServices } from '../../graphql/context.ts';
import { toldBeyondPrice, toldBy } from '../../graphql/streams.ts';
import type { Readable } from '../../readable.ts';
import { toMessageError, withClientErrors } from '../client-errors.ts';
import { costOfEvent } from '../price/cost.ts';
import { checkTold } from '../price/limits.ts';
import type { OperationProtocol } from '../protocol.ts';
import { settle } from '../text/narrow.ts';
import { tellFew } from './few-errors.ts';
import { PaidEvents, type Pay } from './paid-events.ts';
import { PendingResult } from './pending-result.ts';
import { ResultsOfEvents } from './results-of-events.ts';
import { createVariableReader } from './variables.ts';

/**
 * A result of a subscription, with its JSON made once however many subscribers it goes to. Its errors are as clients
 * may see them.
 */
export interface SharedResult extends ExecutionResult {
  /** The bytes of the JSON. */
  readonly encode: () => Buffer;
  readonly stringify: () => string;
}

/** Subscribes: gives the results; or, where a subscription cannot begin, its errors as they were thrown. */
export type Subscribe = (operation: Subscribing) => Promise<Results | ExecutionResult>;

/** An operation that subscribes. */
export interface Subscribing extends ExecutionArgs {
  /** Charges for the messages that it has made, and waits where its client has no more; without it nothing is charged. */
  readonly pay?: Pay;
}

/** The results of a subscription, read as they come or waited for one by one. */
export type Results = Readable<SharedResult> & AsyncIterable<SharedResult, undefined>;

/** Gives what subscribes for a client on a protocol, within what the client may have open. */
export type SubscribeFor = (client: string, protocol: OperationProtocol) => Subscribe;

/** What a subscription is made of: the events of the feed, and what its operation makes of each. */
export interface SourceStream {
  readonly events: Readable<object>;
  /** The result of an event: the very same for every equal subscription. Only what has to be read is pending. */
  readonly resultOf: (event: object) => SharedResult | PendingResult<SharedResult>;
  /** The last result of a subscription that fails. Its error is a GatewayError, and masked where it has to be. */
  readonly failureOf: (thrown: unknown) => SharedResult;
}

/** Opens the events that an operation subscribes to; gives its errors as they were thrown where it cannot begin. */
export type OpenSource = (operation: Subscribing) => Promise<SourceStream | ExecutionResult>;

/** What the sharing saves, for tests and metrics. */
export interface SubscribeCounters {
  executions: number;
  serialisations: number;
}

/** Whether what failed may be there in a moment. Rows of a base may come for hours. */
function isOutOfReach(error: GraphQLError): boolean {
  const known = gatewayErrorOf(error);
  return known?.code === 'UNAVAILABLE' && !(known instanceof RowsToCome);
}

/**
 * Makes the function that every subscription begins with. Equal subscriptions get the very same result object for a
 * change, executed and serialised once: the feed gives the same event to all of them, and what an operation makes
 * of an event is kept for as long as the event is, and not much more was made since. A subscription that fails ends with a result that says why, so that
 * it does not take the other subscriptions of its connection with it.
 */
export function createOpenSource(
  services: GatewayServices,
  logger: Logger,
  counters?: SubscribeCounters,
): OpenSource {
  const results = new ResultsOfEvents<SharedResult>();

  function executeOnce(
    event: object,
    key: string,
    args: ExecutionArgs,
  ): SharedResult | PendingResult<SharedResult> {
    const ofEvent = results.of(event);
    const known = ofEvent.get(key);
    if (known !== undefined && !(known instanceof PendingResult && known.isLeft)) return known;
    const result = executeEvent(event, args);
    ofEvent.set(key, result);
    if (result instanceof PendingResult)
      result.made.then(
        (made) => ofEvent.get(key) === result && ofEvent.set(key, made),
        // Whoever comes to the event later has it made again.
        () => ofEvent.get(key) === result && ofEvent.delete(key),
      );
    return result;
  }

  function executeEvent(event: object, args: ExecutionArgs): SharedResult | PendingResult<SharedResult> {
    const told = toldBeyondPrice(event);
    if (told !== null) checkTold(costOfEvent(args, told), told);
    if (counters !== undefined) counters.executions += 1;
    const leaving = new AbortController();
    const contextValue = createContext(services, { signal: leaving.signal });
    const result = execute({ ...args, rootValue: event, contextValue });
    const toShared = (made: ExecutionResult) => {
      // The next message has a later cursor: what was out of reach for this one would never be told.
      const away = made.errors?.find(isOutOfReach);
      if (away !== undefined) throw away;
      return share(withClientErrors(tellFew(made), logger));
    };
    return result instanceof Promise ? new PendingResult(result.then(toShared), leaving) : toShared(result);
  }

  const share = (result: ExecutionResult) =>
    shareResult(result, (bytes) => {
      if (counters !== undefined) counters.serialisations += 1;
      results.count(bytes);
    });

  return async ({ schema, document, variableValues, operationName, pay }) => {
    // The context of whoever asks is not held for as long as the stream is open.
    const args = { schema, document, variableValues, operationName };
    const settled = settleVariables(args);
    const source = await createSourceEventStream({ ...settled, contextValue: createContext(services) });
    // The transport answers what could not begin as it answers the errors of queries.
    if (!(Symbol.asyncIterator in source)) return source;
    const key = keyOf(args);
    // Every subscription resolves to a stream of the feed.
    const events = source as unknown as Readable<object>;
    const costOf = (event: object) => (results.find(event)?.has(key) ? 0 : costOfEvent(args, toldBy(event)));
    return {
      events:
        pay === undefined ? events : new PaidEvents(events, costOf, { pay, ending: services.feed.ending }),
      resultOf: (event) => executeOnce(event, key, settled),
      failureOf: (thrown) => share({ errors: [toGatewayError(thrown, logger)] }),
    };
  };
}

/** A result whose JSON is made once; says then how many bytes that has. */
function shareResult(result: ExecutionResult, onMade: (bytes: number) => void): SharedResult {
  let bytes: Buffer | undefined;
  const encode = () => {
    if (bytes === undefined) {
      bytes = Buffer.from(JSON.stringify(result));
      onMade(bytes.byteLength);
    }
    return bytes;
  };
  const ready = { encode: { value: encode }, stringify: { value: () => encode().toString() } };
  return Object.defineProperties({ ...result }, ready) as SharedResult;
}

/** The operation for each of its events, with its variables coerced: graphql-js would do that anew for each. */
function settleVariables(args: ExecutionArgs): ExecutionArgs {
  const { schema, document, variableValues, operationName } = args;
  const operation = getOperationAST(document, operationName);
  const coerced = operation && createVariableReader(schema, operation)(variableValues ?? {});
  // Of what cannot be taken graphql-js has its own words.
  if (!operation || !coerced) return args;
  return { ...settle({ schema, document, operation }), variableValues: coerced, operationName };
}

function toGatewayError(thrown: unknown, logger: Logger): GatewayError {
  const known = gatewayErrorOf(thrown);
  if (known !== undefined) return known;
  const error = new GraphQLError('The stream ended.', { originalError: thrown as Error });
  const { message, extensions } = toMessageError(error, logger);
  return new GatewayError('INTERNAL', message, extensions['details'] as readonly ErrorDetail[]);
}

const keys = new WeakMap<DocumentNode, { readonly digest: string; readonly cursors: ReadonlySet<string> }>();

/** A digest stands for the text: every subscription keeps its key. */
function describeDocument(document: DocumentNode) {
  return { digest: hash('sha256', print(document), 'base64'), cursors: findCursorVariables(document) };
}

/** Equal for operations that make the same of every event: the cursor to begin after does not count. */
function keyOf({ document, operationName, variableValues }: ExecutionArgs): string {
  const known = keys.get(document) ?? describeDocument(document);
  keys.set(document, known);
  const variables = Object.entries(variableValues ?? {}).filter(([name]) => !known.cursors.has(name));
  return JSON.stringify([
    known.digest,
    operationName ?? null,
    variables.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** The variables that are used once, and as an argument `after` of a root field: the stream's own. */
function findCursorVariables(document: DocumentNode): ReadonlySet<string> {
  const uses = new Map<string, number>();
  const cursors = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      uses.set(name.value, (uses.get(name.value) ?? 0) + 1);
    },
  });
  for (const definition of document.definitions) {
    if (definition.kind !== 'OperationDefinition') continue;
    for (const field of definition.selectionSet.selections) {
      if (field.kind !== 'Field') continue;
      const after = field.arguments?.find(({ name }) => name.value === 'after')?.value;
      if (after?.kind === 'Variable' && uses.get(after.name.value) === 1) cursors.add(after.name.value);
    }
  }
  return cursors;
}
