import type { Asked } from './asked.ts';

/** Opens what a panel asks in GraphiQL, with its variables. */
export function QueryLink({
  of,
  title,
}: {
  readonly of: Pick<Asked<unknown>, 'operation' | 'variables'>;
  readonly title: string;
}) {
  const { operation, variables } = of;
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value != null));
  const search = new URLSearchParams({
    query: spread(`${operation}`),
    variables: JSON.stringify(given, null, 2),
  });
  return (
    <a class="tool" href={`/graphql?${search}`} title={`Open the query of “${title}” in GraphiQL`}>
      Query<span class="unseen"> of {title}</span>
    </a>
  );
}

/** An operation with a field on each line. What stands in round brackets stays on its line. */
function spread(operation: string): string {
  let [depth, brackets, text] = [0, 0, ''];
  for (const [token] of operation.matchAll(/"(?:[^"\\]|\\.)*"|\.\.\.(?:\s*on)?\s*\w+|[\w$@:!]+|\S/g)) {
    if (token === '}' && brackets === 0) depth -= 1;
    text += gapBefore(token, text, brackets, depth) + token;
    if (token === '{' && brackets === 0) depth += 1;
    if (token === '(') brackets += 1;
    if (token === ')') brackets -= 1;
  }
  return `${text.trim()}\n`;
}

function gapBefore(token: string, text: string, brackets: number, depth: number): string {
  const last = text.at(-1) ?? '';
  if (/^[(),\]]$/.test(token) || /[([]/.test(last)) return '';
  // An alias, a variable's type and what an operation is called stay beside what they belong to.
  if (brackets > 0 || token === '{' || last === ':') return last === '' ? '' : ' ';
  if (depth === 0) return /^(query|fragment)$/.test(token) ? '\n\n' : ' ';
  return `\n${'  '.repeat(depth)}`;
}
