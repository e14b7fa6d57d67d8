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
