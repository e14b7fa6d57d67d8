import { EXAMPLES } from './graphiql-examples.ts';

/** Where an operation opens in GraphiQL, as others link to it. */
function addressOf({ query, variables }: (typeof EXAMPLES)[number]): string {
  const given = variables === undefined ? {} : { variables: JSON.stringify(variables, null, 2) };
  return `/graphql?${new URLSearchParams({ query, ...given })}`;
}

/** What stands above GraphiQL: named operations to begin with, and where else there is something to read. */
export const BAR = `<nav id="periscope" aria-label="Examples">
<a href="/">Periscope</a>
<h1>GraphiQL</h1>
<details><summary>Examples</summary><ul>
${EXAMPLES.map((one) => `<li><a href="${addressOf(one).replaceAll('&', '&amp;')}">${one.name}</a></li>`).join('\n')}
</ul></details>
<a href="/docs/graphql">Reference</a>
<a href="/docs/guides">Guides</a>
</nav>`;

/** Where GraphiQL goes, and what stands there while its scripts are on their way: what it will show. */
export const PLACE = `<main id="root"><pre>${(EXAMPLES[0]?.query ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre><p>The editor is loading…</p></main>`;

/**
 * Shows GraphiQL with the operation and the variables that the address has, and keeps both in it: GraphiQL itself has the operation
 * alone. Whose address has none begins with the first example.
 */
export const STARTER = `
function showGraphiql(root, options) {
  const given = new URL(location.href).searchParams;
  const query = given.get('query') ?? undefined;
  const variables = query === undefined ? undefined : (given.get('variables') ?? undefined);
  const keep = (name, text) => {
    const address = new URL(location.href);
    if (text) address.searchParams.set(name, text);
    else address.searchParams.delete(name);
    history.replaceState(null, '', address);
  };
  const first = query === undefined ? undefined : [{ query, variables }];
  YogaGraphiQL.renderYogaGraphiQL(root, {
    ...options,
    // Who has no variables needs the room for the operation.
    defaultEditorToolsVisibility: variables === undefined ? false : 'variables',
    ...(query === undefined ? {} : { query, variables, initialVariables: variables, defaultTabs: first }),
    onEditQuery: (text) => keep('query', text),
    onEditVariables: (text) => keep('variables', text),
  });
}
`;

/** The bar, and what stands below it until GraphiQL does: painted before anything else is there. */
export const FIRST_STYLE = `
body { margin: 0; }
#periscope { position: relative; z-index: 20; display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 8px 16px; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#f5f4f0, #24282c); color: light-dark(#1d1f21, #e8e6e1); }
#periscope a, #periscope summary { color: light-dark(#0d5c63, #6fc7c0); }
#periscope h1 { margin: 0; font: inherit; }
#root > pre, #root > p { margin: 0; padding: 16px 24px; font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; }
#periscope > a:first-child { color: inherit; font-weight: 600; text-decoration: none; }
#periscope summary { cursor: pointer; }
#periscope ul { position: absolute; left: 16px; max-width: calc(100vw - 32px); margin: 4px 0; padding: 6px 0; list-style: none; background: light-dark(#fff, #1a1d20);
  border: 1px solid #8886; border-radius: 4px; box-shadow: 0 8px 24px #0004; box-sizing: border-box; }
#periscope li a { display: block; padding: 6px 14px; text-decoration: none; }
#periscope li a:hover { text-decoration: underline; }
body.graphiql-dark #periscope { color-scheme: dark; }
body.graphiql-light #periscope { color-scheme: light; }
:root:has(body:not(.graphiql-dark, .graphiql-light)) { color-scheme: light dark; }
`;

/** GraphiQL below the bar: what is asked above what is answered where there is no room for both. It counts behind GraphiQL's own. */
export const STYLE = `
body { display: flex; flex-direction: column; height: 100dvh; }
#root { flex: 1; min-height: 0; height: auto; }
.graphiql-container { height: 100%; }
.graphiql-container .graphiql-logo { display: none; }
/* Its own are too faint to be read. */
body .graphiql-container .monaco-editor .line-numbers { color: #5c6470 !important; }
body.graphiql-dark .graphiql-container .monaco-editor .line-numbers { color: #b4bcc8 !important; }
@media (prefers-color-scheme: dark) { body:not(.graphiql-light) .graphiql-container .monaco-editor .line-numbers { color: #b4bcc8 !important; } }
@media (max-width: 700px) {
  .graphiql-container { flex-direction: column-reverse; min-width: 0; }
  .graphiql-container .graphiql-sidebar { flex-direction: row; width: auto; padding: 4px 8px; }
  .graphiql-container .graphiql-main { min-width: 0; min-height: 0; flex: 1; }
  .graphiql-container .graphiql-main > .graphiql-horizontal-drag-bar, .graphiql-container #graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-sessions { min-width: 0; margin: 0 4px; }
  .graphiql-container #graphiql-session { flex-direction: column; padding: 0 4px 4px; }
  .graphiql-container #graphiql-session > * { min-width: 0 !important; min-height: 0; width: auto !important; flex: 1 1 50% !important; }
  .graphiql-container .graphiql-main { position: relative; }
  .graphiql-container .graphiql-plugin { position: absolute; inset: 0; z-index: 10; width: auto !important; max-width: none !important; background: hsl(var(--color-base)); overflow: auto; }
  .graphiql-container .graphiql-plugin:empty { display: none; }
  .graphiql-container .graphiql-query-editor { flex-direction: column-reverse; padding: 8px; }
  .graphiql-container .graphiql-query-editor > .graphiql-editor { min-height: 0; }
  .graphiql-container .graphiql-toolbar { flex-direction: row; align-items: center; width: auto; gap: 8px; }
}
`;
