/** A text as a message shows it: quoted, with nothing that could break a log line, and cut where it is long. */
export function quoted(text: string): string {
  if (text.length <= LONGEST) return JSON.stringify(text);
  // A cut between the two halves of a surrogate pair would leave half a character.
  const start = text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '');
  return `${JSON.stringify(`${start}…`)} (${text.length} characters)`;
}

const LONGEST = 80;

/** The path of a request as a message shows it: as it was sent, without the query. */
export function quotedPath(request: { readonly originalUrl: string }): string {
  return quoted(request.originalUrl.split('?', 1)[0] ?? '');
}
