/** The most characters of a given text that a message repeats. */
const LONGEST = 80;

/** A text as a message shows it: the beginning of a long one. */
export function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  // A cut between the two halves of a surrogate pair would leave half a character.
  return `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A text as a message quotes it: on one line, and the beginning of a long one with its length. */
export function quoted(text: string): string {
  const shown = JSON.stringify(shorten(text));
  return text.length <= LONGEST ? shown : `${shown} (${text.length} characters)`;
}

/** A text with its first letter in upper case: `marketData` as `MarketData`. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A text with its first letter in lower case: `MarketData` as `marketData`. */
export function uncapitalize(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
