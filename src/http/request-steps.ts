import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Steps } from '../steps.ts';

/** Begins to watch a request, where somebody wants to know what is done for it. */
export type WatchRequest = (request: IncomingMessage, response: ServerResponse) => Steps | null;

const watched = new WeakMap<ServerResponse, Steps>();

/** Who is told of what is done for the answer; undefined where nobody is. */
export function stepsOf(response: ServerResponse): Steps | undefined {
  return watched.get(response);
}

/** Has requests watched by all who want to; null where nobody ever does, so that it costs nothing. */
export function watchRequests(watches: readonly (WatchRequest | null)[]): WatchRequest | null {
  const all = watches.filter((watch) => watch !== null);
  if (all.length === 0) return null;
  return (request, response) => {
    const steps = all.flatMap((watch) => watch(request, response) ?? []);
    const [first] = steps;
    if (first === undefined) return null;
    const together = steps.length === 1 ? first : tellAll(steps);
    watched.set(response, together);
    return together;
  };
}

function tellAll(all: readonly Steps[]): Steps {
  return {
    begin(step, about) {
      const ends = all.map((steps) => steps.begin(step, about));
      return (error) => {
        for (const end of ends) end(error);
      };
    },
  };
}
