/** A request as its bytes have it, as far as they have come at once. */
export interface RawRequest {
  readonly method: string;
  /** The address as it was sent. */
  readonly url: string;
  /** The rest of the head as it was sent: its fields, with the line ends before and after. */
  readonly fields: string;
  /** What has come behind the head, a character for each byte. */
  readonly body: string;
}

/**
 * Takes bytes apart that begin with a request; null where they do not, or do not have all of its head. It checks nothing:
 * it is right for fields that are `areSound`, of a request that Node has read.
 */
export function splitRequest(bytes: Buffer): RawRequest | null {
  const text = bytes.toString('latin1');
  const methodEnd = text.indexOf(' ');
  const urlEnd = text.indexOf(' ', methodEnd + 1);
  const lineEnd = urlEnd + VERSION.length;
  const fieldsEnd = text.indexOf(HEAD_END, lineEnd) + HEAD_END.length;
  if (methodEnd < 0 || fieldsEnd < HEAD_END.length || !text.startsWith(LINE_END, urlEnd)) return null;
  return {
    method: text.slice(0, methodEnd),
    url: text.slice(methodEnd + 1, urlEnd),
    fields: text.slice(lineEnd, fieldsEnd),
    body: text.slice(fieldsEnd),
  };
}

const VERSION = ' HTTP/1.1';
const LINE_END = `${VERSION}\r\n`;
const HEAD_END = '\r\n\r\n';

/** Whether fields are lines of visible characters up to the end of the head, so that nobody can read them in another way. */
export function areSound(fields: string): boolean {
  return SOUND.test(fields);
}

const SOUND = /^(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t -~]*)+\r\n\r\n$/;
