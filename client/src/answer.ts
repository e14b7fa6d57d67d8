import type { ErrorDetail } from './errors.ts';
import type { Result } from './transports/transport.ts';

/** The gateway's codes, by the numbers that they have in its documented errors. */
const CODES: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  11: 'OUT_OF_RANGE',
  12: 'UNIMPLEMENTED',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
};

/** The status of a request that was too long on its way: the same may be there in time. */
const LATE = 408;

/** What a response that is no stream says. One that is no answer of a gateway, a proxy's page, passes by. */
export async function readAnswer(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    const { data, errors, code, message, details } = JSON.parse(text);
    if (Array.isArray(errors) && errors.length > 0) return { errors };
    if (data != null) return { data };
    // What has not come as far as GraphQL: a body that is too large, an address with a path too many.
    const name = CODES[code];
    if (name && response.status !== LATE) return errorOf(name, message, details);
  } catch {}
  return errorOf('UNAVAILABLE', `The status is ${response.status}.`);
}

/** What is said of a gateway that does not say it so itself. */
export const errorOf = (code: string, message: string, details: readonly ErrorDetail[] = []) => ({
  errors: [{ message, extensions: { code, details } }],
});
