import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Steps } from '../../steps.ts';

/** Begins to watch a request, where somebody wants to know what is done for it. */
export type WatchRequest = (request: IncomingMessage, response: ServerResponse) => Steps | null;

/** Has requests watched by all who want to; null where nobody ever does, so that it costs nothing. */
export function watchRequests(watches: readonly (WatchRequest | null)[]): WatchRequest | null {
  const all = watches.filter((watch) => watch !== null);
  if (all.length === 0) return null;
  return (request, response) => {
    let told: Steps | null = null;
    for (const watch of all) {
      const steps = watch(request, response);
      if (steps !== null) told = told === null ? steps : tellBoth(told, steps);
    }
    return told;
  };
}

function tellBoth(first: Steps, second: Steps): Steps {
  return {
    begin(step, about) {
      const [endFirst, endSecond] = [first.begin(step, about), second.begin(step, about)];
      return (error) => {
        endFirst(error);
        endSecond(error);
      };
    },
    noteKept() {
      first.noteKept?.();
      second.noteKept?.();
    },
  };
}
