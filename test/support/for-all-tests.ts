import { afterAll } from 'vitest';
import { within } from './message-queue.ts';

/** As long as what is done before tests may take elsewhere (`vitest.config.ts`). */
const LIMIT_MS = 300_000;

/**
 * What all tests of a file share: there before the first, and closed after the last, what was opened last first. It is awaited where
 * the file begins, so that the tests have it as a constant.
 */
export async function forAllTests<Resource extends AsyncDisposable>(
  opening: Promise<Resource> | Resource,
): Promise<Resource> {
  const resource = await within(Promise.resolve(opening), 'opening what all tests share', LIMIT_MS);
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}
