import { type ExecutionResult, parse } from 'graphql';
import { BLOCKS, tagOf, tagOfEveryValue } from '../../src/cache/cache-tags.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import type { Database } from '../../src/data/servers/client.ts';
import { prepareOperation, type RunResult } from '../../src/engine/run/prepared.ts';
import { type FeedBlock, NO_BLOCK } from '../../src/feed/events.ts';
import { createContext, type GatewayContext } from '../../src/graphql/context.ts';
import type { RandomOperation } from './random-operations.ts';

/** Queries ask for none. */
export const NO_FEED = {
  latest: NO_BLOCK,
  nameNewest: (find: () => unknown) => find(),
  nameBlock: async (found: unknown) => found,
} as never;

/** Runs an operation by one of both executors: as text, or by graphql-js over Prisma. */
export async function runBy(
  database: Database,
  { text, variables }: RandomOperation,
  asText: boolean,
  latest: FeedBlock = NO_BLOCK,
) {
  const feed = { ...(NO_FEED as object), latest } as never;
  const context = createContext({ ...database, feed });
  const answer = await prepareOperation(parse(text), null, { asText }).run(variables, context);
  return { answer, context };
}

/** The body of an answer; its errors have no order of their own. */
export function bytesOf(answer: RunResult): string {
  if (answer.kind === 'text') return `{"data":${answer.data.join('')}}`;
  const { data, errors } = answer.result as ExecutionResult;
  if (errors === undefined) return `{"data":${JSON.stringify(data)}}`;
  return JSON.stringify({ data, errors: errors.map((error) => JSON.stringify(error)).sort() });
}

/** The nouns that an answer depends on: some of their rows, or, where Prisma read them, all. */
export function nounsOf({ dependencies }: GatewayContext): string[] {
  const tags = dependencies.tags();
  const named = [...Object.values(nouns), BLOCKS];
  const isRead = (noun: { readonly name: string }) =>
    tags === null || tags.includes(tagOf(noun)) || tags.includes(tagOfEveryValue(noun));
  return named.filter(isRead).map(({ name }) => name);
}
