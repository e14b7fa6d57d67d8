import { readAnswer } from '../answer.ts';
import type { Environment } from '../environment.ts';
import type { Receiver, Transport } from './transport.ts';

/** How results stand in the body of an answer. */
interface BodyForm {
  readonly name: string;
  /** The media type that is asked for. */
  readonly type: string;
  /** The JSON of a result in a line; nothing where there is none. */
  dataOf(line: string): string;
}

/** A subscription as the body of an answer, which ends with it. */
export function streamBody({ fetch }: Environment, form: BodyForm): Transport {
  return {
    name: form.name,
    open({ url, query, variables }, receiver) {
      const aborter = new AbortController();
      const ask = async () => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: form.type },
          body: JSON.stringify({ query, variables }),
          signal: aborter.signal,
        });
        await read(response, form, receiver);
      };
      ask()
        .then(() => 'ended', String)
        .then(receiver.onEnd);
      return () => aborter.abort();
    },
  };
}

async function read(
  response: Response,
  { type, dataOf }: BodyForm,
  { onBeat, onResult }: Omit<Receiver, 'onEnd'>,
): Promise<void> {
  if (!response.headers.get('Content-Type')?.startsWith(type)) return onResult(await readAnswer(response));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBeat();
    // A line that comes in many parts is looked through once: the longest have many megabytes.
    const [more, ...begun] = decoder.decode(value, { stream: true }).split('\n');
    rest += more;
    for (const next of begun) {
      const data = dataOf(rest);
      if (data) onResult(JSON.parse(data));
      rest = next;
    }
  }
}
