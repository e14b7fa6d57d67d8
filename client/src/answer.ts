import type { Result } from './transports/transport.ts';

/** What a response that is no stream says. One that is no answer of a gateway, a proxy's page, passes by. */
export async function readAnswer(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    const { data, errors } = JSON.parse(text);
    if (Array.isArray(errors) && errors.length > 0) return { errors };
    if (data != null) return { data };
  } catch {}
  return { errors: unavailable(`The answer has the status ${response.status}.`) };
}

/** What is said of a gateway that says nothing. */
export const unavailable = (message: string) => [{ message, extensions: { code: 'UNAVAILABLE' } }];
