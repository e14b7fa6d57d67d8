/** A path that matched, and the parts of the address that it leaves open, decoded. */
interface Match<Routed> {
  readonly one: Routed;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Makes what finds the path of an address, as Express does: case counts, and so does a trailing slash. Null for others,
 * for a part that cannot be decoded, and for an address with anything but visible ASCII or with a fragment: what Node,
 * Express and we read in one way is found here.
 */
export function createPathMatcher<Routed extends { readonly path: string }>(
  routes: readonly Routed[],
): (url: string) => Match<Routed> | null {
  const fixed = new Map(routes.filter(({ path }) => !path.includes(':')).map((one) => [one.path, one]));
  const open = routes
    .filter(({ path }) => path.includes(':'))
    .map((one) => ({ one, ...patternOf(one.path) }));
  return (url) => {
    if (!PLAIN_URL.test(url)) return null;
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const known = fixed.get(path);
    if (known !== undefined) return { one: known, values: {} };
    for (const { one, pattern, names } of open) {
      const parts = pattern.exec(path);
      const values = parts && decodeParts(names, parts.slice(1));
      if (values) return { one, values };
    }
    return null;
  };
}

const PLAIN_URL = /^\/[!"$-~]*$/;

/** `/api/v2/deposit/:id` as an expression that captures its parts, and their names. */
function patternOf(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return { names, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) };
}

function decodeParts(names: readonly string[], parts: readonly string[]): Record<string, string> | null {
  try {
    const values: Record<string, string> = {};
    for (const [index, name] of names.entries()) values[name] = decodeURIComponent(parts[index] ?? '');
    return values;
  } catch {
    return null;
  }
}
