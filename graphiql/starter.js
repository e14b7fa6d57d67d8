/**
 * Shows GraphiQL with the operation and the variables that the address has, and keeps both in it: GraphiQL itself has the operation
 * alone. Whose address has none begins with the first example.
 */
globalThis.showGraphiql = (root, options) => {
  const given = new URL(location.href).searchParams;
  const query = given.get('query') ?? undefined;
  const variables = query === undefined ? undefined : (given.get('variables') ?? undefined);
  // The gateway would refuse a longer address with 431 when the page is loaded again.
  const fits = (text) => `${new URLSearchParams({ text })}`.length <= 6_000;
  const keep = (name, text) => {
    const address = new URL(location.href);
    if (text && fits(text)) address.searchParams.set(name, text);
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
};
