import { METHODS, type ServerResponse } from 'node:http';
import { Durations } from './durations.ts';

/** What metrics call a path that nothing serves: what clients write is no name, there is no end of it. */
const OTHER = 'other';

/** The requests of one route that had a method and a status. */
export interface RequestSeries {
  /** The pattern of the path: `/api/v2/deposit/{id}`. */
  readonly route: string;
  readonly method: string;
  /** The status, or `aborted` where the client left before its answer was out. */
  readonly status: string;
  readonly durations: Durations;
}

/** How long requests took, by what they asked for and what came of it. */
export class RequestTimes {
  readonly #routeOf: (url: string) => string;
  readonly #byRoute = new Map<string, Map<number, RequestSeries>>();

  /** `paths` are the patterns of the paths that are served, a part that varies in braces. */
  constructor(paths: readonly string[]) {
    this.#routeOf = createRouteNamer(paths);
  }

  /** Counts a request whose answer is out, or whose client is gone. */
  add(response: ServerResponse, ms: number): void {
    const { req, statusCode, writableFinished } = response;
    const sent = writableFinished ? statusCode : null;
    const route = this.#routeOf(req.url ?? '');
    let ofRoute = this.#byRoute.get(route);
    if (ofRoute === undefined) {
      ofRoute = new Map();
      this.#byRoute.set(route, ofRoute);
    }
    const method = METHOD_NUMBERS.get(req.method ?? '') ?? 0;
    const key = (sent ?? 0) * METHOD_NAMES.length + method;
    let series = ofRoute.get(key);
    if (series === undefined) {
      const status = sent === null ? 'aborted' : `${sent}`;
      series = { route, method: METHOD_NAMES[method] ?? OTHER, status, durations: new Durations() };
      ofRoute.set(key, series);
    }
    series.durations.add(ms);
  }

  *series(): Generator<RequestSeries, void> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute.values();
  }
}

/** Node reads no others; they have numbers so that a key costs no text. */
const METHOD_NAMES = [OTHER, ...METHODS];
const METHOD_NUMBERS = new Map(METHOD_NAMES.map((name, number) => [name, number]));

/** Makes what gives the pattern of an address as it was sent. */
export function createRouteNamer(paths: readonly string[]): (url: string) => string {
  const fixed = new Map(paths.filter((path) => !path.includes('{')).map((path) => [path, path]));
  const open = paths
    .filter((path) => path.includes('{'))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  return (url) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    return fixed.get(path) ?? open.find(({ pattern }) => pattern.test(path))?.path ?? OTHER;
  };
}
