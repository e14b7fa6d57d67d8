import { badRequest } from '../engine/client-errors.ts';
import { quoted } from '../errors.ts';

/** Reads the JSON of a body. Throws what a client can do about one that is none. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('body', `The body is no JSON: ${quoted(text)}.`);
  }
}
