import { readAnswer } from '../answer.ts';
import type { Environment } from '../environment.ts';
import { once, type Receiver, type Transport } from './transport.ts';

/** A subscription as server-sent events, on a request of its own: `fetch` and nothing else. */
export function serverSentEvents({ fetch }: Environment): Transport {
  return {
    name: 'server-sent events',
    open({ url, query, variables }, receiver) {
      const aborter = new AbortController();
      const { close, ...open } = once(receiver);
      const ask = async () => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
          body: JSON.stringify({ query, variables }),
          signal: aborter.signal,
        });
        await read(response, open);
      };
      ask().then(
        () => open.onEnd('the event stream ended'),
        (error: unknown) => open.onEnd(error instanceof Error ? error.message : String(error)),
      );
      return () => {
        close();
        aborter.abort();
      };
    },
  };
}

async function read(response: Response, { onBeat, onResult }: Omit<Receiver, 'onEnd'>): Promise<void> {
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.startsWith('text/event-stream')) {
    const refusal = await readAnswer(response);
    return onResult(refusal);
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBeat();
    // Lines end with LF, as the gateway writes them; a proxy does not change bodies.
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.match(/^data: ?(.*)$/m)?.[1];
      if (/^event: ?next$/m.test(part) && data !== undefined) onResult(JSON.parse(data));
    }
  }
}
