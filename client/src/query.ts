import { addressesOf } from './addresses.ts';
import { errorOf, readAnswer } from './answer.ts';
import { delayBefore, pause } from './backoff.ts';
import { type Operation, textOf } from './document.ts';
import { type Environment, system } from './environment.ts';
import { classify, delayIn, RefusedError } from './errors.ts';
import type { Result } from './transports/transport.ts';

export type QueryOptions<Variables> = QueryBounds &
  // What has to be given is known by the operation.
  (Readonly<Record<never, never>> extends Variables
    ? { readonly variables?: Variables }
    : { readonly variables: Variables });

export interface QueryBounds {
  /** The addresses of gateways of one network: `https://gateway.example`. Another is asked where one fails. */
  readonly url: string | readonly string[];
  readonly signal?: AbortSignal;
  /** How long all of it may take, in milliseconds: 30,000 if nothing is said. */
  readonly timeoutMs?: number;
  /** How often it is asked at most, where what the gateway says passes by itself: 6 times if nothing is said. */
  readonly attempts?: number;
  readonly environment?: Environment;
}

/**
 * Asks one operation and gives its data, typed by its document. What passes by itself (a gateway that is not there or has no room) is
 * asked again, at the next address, as long as there is time for it. Throws a `RefusedError` in the gateway's words for any error of the
 * answer, with the code DEADLINE_EXCEEDED where none comes in time, and the signal's reason where that is aborted.
 */
export async function query<Data = unknown, Variables = Readonly<Record<string, unknown>>>(
  operation: Operation<Data, Variables>,
  options: QueryOptions<Variables>,
): Promise<Data> {
  const { url, variables, signal, timeoutMs = 30_000, attempts = 6, environment = system } = options;
  const urls = addressesOf(url);
  const body = JSON.stringify({ query: textOf(operation), variables });
  const until = environment.now() + timeoutMs;
  const limit = limitOf(environment, timeoutMs, signal);
  try {
    for (let attempt = 0; ; attempt++) {
      const { data, errors } = await ask(
        urls[attempt % urls.length] as string,
        body,
        environment,
        limit.signal,
      );
      if (errors === undefined) return data as Data;
      const passes = ['lost', 'exhausted'].includes(classify(errors));
      const wait = delayBefore(attempt, delayIn(errors), environment.random());
      // Who would wait for nothing hears the reason instead.
      const isLast = attempt + 1 >= attempts || environment.now() + wait >= until;
      if (!passes || isLast) throw new RefusedError(errors);
      await pause(environment, wait, limit.signal);
      limit.signal.throwIfAborted();
    }
  } finally {
    limit.end();
  }
}

async function ask(url: string, body: string, { fetch }: Environment, signal: AbortSignal): Promise<Result> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
      body,
      signal,
    });
    return await readAnswer(response);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : error;
    return errorOf('UNAVAILABLE', `${url} does not answer: ${reason}`);
  }
}

/** Ends what goes on too long, or is not wanted any more. */
function limitOf({ after }: Environment, timeoutMs: number, outer: AbortSignal | undefined) {
  const aborter = new AbortController();
  const { signal } = aborter;
  const abort = () => aborter.abort(outer?.reason);
  const message = `There was no answer within ${timeoutMs} ms.`;
  const stop = after(timeoutMs, () =>
    aborter.abort(new RefusedError(errorOf('DEADLINE_EXCEEDED', message).errors)),
  );
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  return {
    signal,
    end() {
      stop();
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** A page of a list, as GraphQL has it. */
export interface Connection {
  readonly edges?: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/**
 * Walks a list page by page: `pick` says where the list is in the answer, and the operation takes the variable `$after`. A walk skips and
 * repeats no row while blocks come in; asked with `asOf`, it is of one block.
 */
export async function* pages<Data, Page extends Connection, Variables = Readonly<Record<string, unknown>>>(
  operation: Operation<Data, Variables>,
  options: QueryOptions<Omit<Variables, 'after'>>,
  pick: (data: Data) => Page,
): AsyncGenerator<Page, void, undefined> {
  for (let after: string | null = null; ; ) {
    const variables = { ...options.variables, after };
    const page = pick(
      await query(operation as Operation<Data, never>, { ...options, variables: variables as never }),
    );
    yield page;
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage) return;
    if (endCursor == null || endCursor === after)
      throw new TypeError(
        'The pages lead nowhere: ask for pageInfo { hasNextPage endCursor }, after $after.',
      );
    after = endCursor;
  }
}
