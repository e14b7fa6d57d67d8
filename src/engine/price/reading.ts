/**
 * What it costs to read a question, in the unit of operations, about a microsecond: as measured of texts of all kinds. What
 * is known before (lengths) is charged before it is read, the rest behind it, whatever came of it.
 */
export const COST_OF_READING = {
  /** A byte of a body or of a message: JSON that never ends takes the longest. */
  byte: 0.05,
  /** A message of a socket, however short: to take it, and to answer it. */
  message: 10,
  /** A document that is not known yet, and each of its characters and tokens. */
  document: 150,
  character: 0.05,
  token: 4,
  /** A field that is looked at for a price that is not known: of a new document, or of one that is asked with other sizes. */
  priced: 2,
  /**
   * A value that a client gives in a list, for which an index may be looked into: once it is read, and each time that a field
   * is which has it.
   */
  value: 5,
  /** A field that is prepared where no row will be, so that its cost is multiplied away. */
  unread: 10,
  /** An error that is written. */
  error: 30,
} as const;

/** How many errors of a document, of its variables or of its arguments are told: whoever mends them sees what is left then. */
export const MOST_ERRORS = 5;

/** What a document of a text costs before it is parsed. */
export function costOfText(text: string): number {
  return COST_OF_READING.document + COST_OF_READING.character * text.length;
}
