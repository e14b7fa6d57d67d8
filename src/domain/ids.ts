/** Ids are keys of indexes, which hold no longer ones. */
export const MAX_ID_LENGTH = 256;

const HEX_ID = /^[0-9a-fA-F]{64}$/;
/** Nearly none has one. */
const UPPER_CASE = /[A-F]/;

/** An id as it is kept and compared: 64 hexadecimal digits in lower case, every other text as it is. */
export function canonicalId(text: string): string {
  return UPPER_CASE.test(text) && HEX_ID.test(text) ? text.toLowerCase() : text;
}

/** Why a text is no id, as the end of a sentence that begins with it; null for one that is. */
export function complaintAboutId(text: string): string | null {
  if (text.length > MAX_ID_LENGTH) return `has more than ${MAX_ID_LENGTH} characters`;
  if (text.includes('\0')) return 'holds the character U+0000';
  // No encoding of Unicode has it, so that it would be kept as another character.
  return text.isWellFormed() ? null : 'holds half of a surrogate pair';
}
