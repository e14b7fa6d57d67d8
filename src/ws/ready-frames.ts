import type { FormattedExecutionResult } from 'graphql';
import type { SharedResult } from '../graphql/subscribe.ts';

// graphql-ws writes a message with JSON.stringify and hands the text on before anything else can run, so one place
// is enough to carry the ready JSON from the one to the other.
let ready: string | null = null;

/** The payload that stands in for a result whose JSON exists already; `spliceReady` puts that where it belongs. */
export function readyPayload(result: SharedResult): FormattedExecutionResult {
  const payload = {
    toJSON() {
      ready = result.stringify();
      return null;
    },
  };
  return payload as FormattedExecutionResult;
}

/** The text of the frame that was just written: `{"id":…,"type":"next","payload":<the ready JSON>}`. */
export function spliceReady(text: string): string {
  if (ready === null) return text;
  const frame = `${text.slice(0, -'null}'.length)}${ready}}`;
  ready = null;
  return frame;
}
