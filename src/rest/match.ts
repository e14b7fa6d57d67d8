import type { ExecuteFor } from '../engine/execute.ts';
import type { Question } from '../http/plain-requests.ts';
import { questionReader } from './questions.ts';
import type { Route } from './route.ts';

/**
 * Makes what finds the path of a GET among the documented ones that are answered at once, as the router does: case
 * counts, and so does a trailing slash. Null for others, and for a part of a path that cannot be decoded. What it gives
 * reads the question: that costs more than to refuse it.
 */
export function createQuestionFinder(
  routes: readonly Route[],
  executeFor: ExecuteFor,
): (url: string) => (() => Question) | null {
  const whole = routes.filter(({ isWhole }) => isWhole);
  const matchers = whole.map((route) => ({
    ...patternOf(route.path),
    read: questionReader(route, executeFor),
  }));
  const fixed = new Map(matchers.filter(({ names }) => names.length === 0).map((one) => [one.path, one]));
  const open = matchers.filter(({ names }) => names.length > 0);
  return (url) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const known = fixed.get(path);
    if (known !== undefined) return () => known.read({}, url);
    for (const { pattern, names, read } of open) {
      const match = pattern.exec(path);
      const parts = match && decodeParts(match.slice(1));
      if (parts) return () => read(Object.fromEntries(names.map((name, index) => [name, parts[index]])), url);
    }
    return null;
  };
}

/** `/api/v2/deposit/:id` as an expression that captures its parts, and their names. */
function patternOf(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return { path, names, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) };
}

function decodeParts(parts: readonly string[]): readonly string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
