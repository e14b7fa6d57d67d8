import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  print,
  visit,
} from 'graphql';
import type { Logger } from 'pino';
import { createContext, type GatewayServices } from '../graphql/context.ts';
import { toMessageError, withClientErrors } from './client-errors.ts';

/**
 * A message of a subscription, with its JSON made once however many subscribers it goes to. Its errors are as clients
 * may see them.
 */
export interface SharedResult extends ExecutionResult {
  readonly stringify: () => string;
}

/** Gives the messages; or, where a subscription cannot begin, its errors as they were thrown. */
export type Subscribe = (
  args: ExecutionArgs,
) => Promise<AsyncIterableIterator<SharedResult, undefined> | ExecutionResult>;

/** What the sharing saves, for tests and metrics. */
export interface SubscribeCounters {
  executions: number;
  serialisations: number;
}

/**
 * Makes the function that every transport subscribes with. Equal subscriptions get the very same result object for a
 * change, executed and serialised once: the feed hands the same event to all of them, and what an operation makes
 * of an event is kept for as long as the event is. A stream that fails ends with a message that says why, so that
 * it does not take the other subscriptions of its connection with it.
 */
export function createSubscribe(
  services: GatewayServices,
  logger: Logger,
  counters?: SubscribeCounters,
): Subscribe {
  const results = new WeakMap<object, Map<string, Promise<SharedResult>>>();

  function executeOnce(event: object, key: string, args: ExecutionArgs): Promise<SharedResult> {
    const ofEvent = results.get(event) ?? new Map<string, Promise<SharedResult>>();
    results.set(event, ofEvent);
    const known = ofEvent.get(key);
    if (known !== undefined) return known;
    const result = executeEvent(event, args);
    ofEvent.set(key, result);
    return result;
  }

  async function executeEvent(event: object, args: ExecutionArgs): Promise<SharedResult> {
    if (counters !== undefined) counters.executions += 1;
    const result = await execute({ ...args, rootValue: event, contextValue: createContext(services) });
    return share(withClientErrors(result, logger));
  }

  function share(result: ExecutionResult): SharedResult {
    let json: string | undefined;
    const stringify = () => {
      if (json === undefined && counters !== undefined) counters.serialisations += 1;
      json ??= JSON.stringify(result);
      return json;
    };
    return Object.defineProperty({ ...result }, 'stringify', { value: stringify }) as SharedResult;
  }

  return async (args) => {
    const source = await createSourceEventStream({ ...args, contextValue: createContext(services) });
    // What could not begin is for the transport to tell, as it tells the errors of queries.
    if (!(Symbol.asyncIterator in source)) return source;
    const events = (source as AsyncIterable<object>)[Symbol.asyncIterator]();
    const key = keyOf(args);
    let isOver = false;
    const messages: AsyncIterableIterator<SharedResult, undefined> = {
      async next() {
        if (isOver) return { done: true, value: undefined };
        try {
          const event = await events.next();
          if (event.done !== true) return { done: false, value: await executeOnce(event.value, key, args) };
          isOver = true;
          return { done: true, value: undefined };
        } catch (thrown) {
          isOver = true;
          // The stream itself may be well, and would go on for nobody.
          void events.return?.();
          const error = new GraphQLError('The stream ended.', { originalError: thrown as Error });
          return { done: false, value: share({ errors: [toMessageError(error, logger)] }) };
        }
      },
      async return() {
        await events.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => messages,
    };
    return messages;
  };
}

const keys = new WeakMap<DocumentNode, { readonly text: string; readonly cursors: ReadonlySet<string> }>();

/** Equal for operations that make the same of every event: the cursor to begin after does not count. */
function keyOf({ document, operationName, variableValues }: ExecutionArgs): string {
  const known = keys.get(document) ?? { text: print(document), cursors: findCursorVariables(document) };
  keys.set(document, known);
  const variables = Object.entries(variableValues ?? {}).filter(([name]) => !known.cursors.has(name));
  return JSON.stringify([known.text, operationName ?? null, variables.sort(([a], [b]) => (a < b ? -1 : 1))]);
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
