/** What a server says of a connection or a statement that its settings do not allow, by PostgreSQL's codes. */
const REFUSED = /^(?:28...|3D000|42501|3F000|0A000)$/;

/**
 * What a database server refused, in its own words, where its operator has to change something: a wrong password, a
 * database or a right that is missing, encryption that it does not speak. Null for every other error.
 */
export function describeRefusal(error: Error & { readonly code?: unknown }): string | null {
  const isRefusal = REFUSED.test(String(error.code)) || /\bSSL\b/.test(error.message);
  return isRefusal ? error.message : null;
}
