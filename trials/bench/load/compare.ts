import { isDeepStrictEqual } from 'node:util';
import type { BenchServer } from '../servers/start-server.ts';
import { type BenchRequest, send } from './request.ts';

/** The cursors of each server are its own. */
const OWN = ['cursor', 'startCursor', 'endCursor'];

/** Asks two servers the same thing in the words of each, and throws where their answers differ, but for some fields. */
export async function compareAnswers(
  one: { readonly server: BenchServer; readonly request: BenchRequest },
  other: { readonly server: BenchServer; readonly request: BenchRequest },
  besides: readonly string[] = [],
): Promise<void> {
  const own = new Set([...OWN, ...besides]);
  const [left, right] = await Promise.all(
    [one, other].map(async ({ server, request }) => normalize((await send(server.url, request)).text, own)),
  );
  if (isDeepStrictEqual(left, right)) return;
  throw new Error(
    `${one.server.name} and ${other.server.name} answer ${one.request.path} differently:\n` +
      `${JSON.stringify(left).slice(0, 600)}\n${JSON.stringify(right).slice(0, 600)}`,
  );
}

/** What an answer says, without what is each server's own. Throws for an answer with errors or without a row. */
export function normalize(text: string, own: ReadonlySet<string> = new Set(OWN)): unknown {
  const body = JSON.parse(text) as { data?: unknown; errors?: unknown };
  if (body.errors !== undefined) throw new Error(`An answer has errors: ${text.slice(0, 500)}`);
  const data = body.data ?? body;
  if (isEmpty(data)) throw new Error(`An answer has no row: ${text.slice(0, 500)}`);
  return without(data, own);
}

function isEmpty(data: unknown): boolean {
  return Object.values(data as object).some(
    (value) => value === null || (value as { edges?: readonly unknown[] }).edges?.length === 0,
  );
}

function without(value: unknown, own: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, own));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !own.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, without(field, own)]));
}
