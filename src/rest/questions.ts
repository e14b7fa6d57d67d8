import type { ExecuteFor } from '../engine/execute.ts';
import type { Question } from '../http/plain-requests.ts';
import type { RequestScope } from '../http/request-scope.ts';
import { Answer } from '../http/write/answer.ts';
import { toReferenceForm } from '../http/write/json.ts';
import { ignoredParametersNamer } from './ignored-parameters.ts';
import { queryOf } from './query-string.ts';
import type { Body, Route } from './route.ts';

/** What a request asks of a path: whose body is made at once, or is streamed. */
export interface RouteQuestion extends Question {
  /** Reads the parameters and runs the operation. */
  readonly ask: (scope: RequestScope) => Promise<Body>;
}

/** Makes the reader of one path's requests: of the parts of the path, decoded, and the whole address as it was sent. */
export function questionReader(
  route: Route,
  executeFor: ExecuteFor,
): (path: Readonly<Record<string, unknown>>, url: string) => RouteQuestion {
  const nameIgnored = ignoredParametersNamer(route.parameters);
  return (path, url) => {
    const query = queryOf(url);
    const head = nameIgnored(query);
    const ask = async (scope: RequestScope) => route.read(path, query).answer(executeFor(scope));
    return { head, ask, make: async (scope) => toAnswer(await ask(scope), url, head) };
  };
}

function toAnswer(body: Body, url: string, head: readonly string[]) {
  if (body.kind === 'stream') throw new TypeError('a body that is streamed is no answer to keep');
  return {
    value: new Answer('application/json', toReferenceForm(body.json, url), head),
    cacheTags: body.cacheTags,
  };
}
