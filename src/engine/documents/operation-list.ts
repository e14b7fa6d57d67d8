import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isObject } from '../../domain/objects.ts';
import { GatewayError } from '../../errors.ts';

/**
 * Reads a list of operations: a JSON object of documents by their SHA-256, as relay-compiler, graphql-codegen and
 * Apollo's tools write it (Apollo's with `operations` in it). Throws FAILED_PRECONDITION saying what is wrong.
 */
export function readOperationList(path: string): ReadonlyMap<string, string> {
  const fail = (complaint: string) =>
    new GatewayError('FAILED_PRECONDITION', `OPERATION_LIST is ${JSON.stringify(path)}, ${complaint}.`);
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw fail(`which cannot be read: ${(error as Error).message}`);
  }
  const texts =
    isObject(given) && Array.isArray(given['operations']) ? given['operations'].map(bodyOf) : valuesOf(given);
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string'))
    throw fail('which is no JSON object of documents by their SHA-256');
  return new Map(texts.map((text) => [sha256(text), text]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function valuesOf(given: unknown): readonly unknown[] {
  return isObject(given) ? Object.values(given) : [];
}

function bodyOf(operation: unknown): unknown {
  return isObject(operation) ? operation['body'] : undefined;
}
