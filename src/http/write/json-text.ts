/** JSON in pieces that follow on each other. What is long is copied once: into the bytes that are sent. */
export type JsonText = readonly string[];

/** The longest that a character is in UTF-8. */
const LONGEST_CHARACTER = 4;

/** From how many characters on a text is longer to join than to write piece by piece. */
const LONG = 16_384;

/** Pieces of text as a body: a short one as text, which goes out with its head; a long one as bytes. */
export function toBody(pieces: JsonText): string | Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length < LONG ? pieces.join('') : encodeText(pieces);
}

/** Of pieces together. Each write costs about as much as copying so many characters. */
const PART = 4096;

/** Encodes pieces of text. Nearly always all is ASCII, so that its length in bytes is known. */
export function encodeText(pieces: JsonText): Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  // Not of the pool: one small body that is kept would hold all of its block. With the room that is spare, a part that
  // is not ASCII is more bytes than characters, even where not all of it has a place.
  const bytes = Buffer.allocUnsafeSlow(length + LONGEST_CHARACTER);
  let end = 0;
  let part = '';
  for (const [index, piece] of pieces.entries()) {
    part += piece;
    if (part.length < PART && index + 1 < pieces.length) continue;
    if (bytes.write(part, end) !== part.length) return encodeWhole(pieces.join(''));
    end += part.length;
    part = '';
  }
  return bytes.subarray(0, length);
}

function encodeWhole(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
