import type { Result } from './transports/transport.ts';

/** As gRPC counts. */
const NOT_FOUND = 5;

/** What a response that is no stream says. One that is no answer of a gateway, a proxy's page, passes by. */
export async function readAnswer(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    const { data, errors, code, message } = JSON.parse(text);
    if (Array.isArray(errors) && errors.length > 0) return { errors };
    if (data != null) return { data };
    // The gateway has nothing there: the address has a path too many.
    if (code === NOT_FOUND) return errorOf('NOT_FOUND', message);
  } catch {}
  return errorOf('UNAVAILABLE', `The status is ${response.status}.`);
}

/** What is said of a gateway that does not say it so itself. */
export const errorOf = (code: string, message: string) => ({ errors: [{ message, extensions: { code } }] });
