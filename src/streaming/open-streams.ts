import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { GatewayError, gatewayErrorOf } from '../errors.ts';
import { schema } from '../graphql/index.ts';
import type { Quota } from '../http/quota.ts';
import type { SharedResult, Subscribe } from '../operations/subscribe.ts';
import { accountStream, type StreamQuestion } from '../rest/streams.ts';
import { errorOf } from './stream-messages.ts';

export type Messages = AsyncIterableIterator<SharedResult, undefined>;

/** How long a stream may take to show that it cannot begin, before its answer does. */
const OPENING_MS = 1000;

/** Subscribes for one client, within what it may have open; what it may not is refused with RESOURCE_EXHAUSTED. */
export function limitSubscribe(subscribe: Subscribe, streams: Quota, client: string): Subscribe {
  return async (args) => {
    let release: () => void;
    try {
      release = streams.take(client);
    } catch (error) {
      if (error instanceof GatewayError) return { errors: [error] };
      throw error;
    }
    try {
      const messages = await subscribe(args);
      if (isStream(messages)) return releasedAtEnd(messages, release);
      release();
      return messages;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Opens the documented stream: a subscription in this process. Throws what refuses it. */
export async function openAccountStream(
  subscribe: Subscribe,
  { variables }: StreamQuestion,
): Promise<Messages> {
  const messages = await subscribe({
    schema,
    document: accountStream.operation,
    variableValues: variables,
  });
  if (isStream(messages)) return messages;
  const [error] = messages.errors ?? [];
  throw gatewayErrorOf(error) ?? error?.originalError ?? error ?? new Error('no stream and no error');
}

/**
 * Waits for the first message, though not for long: when the stream cannot begin, that is thrown while the answer can
 * still have a status of its own. After a cursor on a quiet network the first message may be hours away. Gives the
 * messages, the first one included.
 */
export async function awaitOpening(messages: Messages): Promise<Messages> {
  const first = messages.next();
  const waiting = new AbortController();
  const late = sleep(OPENING_MS, null, { signal: waiting.signal }).catch(() => null);
  const opened = await Promise.race([first, late]);
  waiting.abort();
  const error = opened?.value === undefined ? null : errorOf(opened.value);
  if (error !== null) throw error;
  return beginningWith(first, messages);
}

function beginningWith(first: ReturnType<Messages['next']>, messages: Messages): Messages {
  let waiting: typeof first | null = first;
  const all: Messages = {
    next() {
      const next = waiting ?? messages.next();
      waiting = null;
      return next;
    },
    return: () => messages.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}

/** Whether a subscription began. */
function isStream(result: Messages | ExecutionResult): result is Messages {
  return Symbol.asyncIterator in result;
}

function releasedAtEnd(messages: Messages, release: () => void): Messages {
  const released: Messages = {
    async next() {
      const result = await messages.next();
      if (result.done === true) release();
      return result;
    },
    async return() {
      release();
      await messages.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => released,
  };
  return released;
}
