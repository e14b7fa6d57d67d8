import type { IncomingMessage } from 'node:http';

/** No client that means it says in more characters what it takes; reading a list takes the square of its length. */
export const LONGEST_ACCEPT = 1_000;

type Asking = Pick<IncomingMessage, 'headers'>;

/** Whether a request prefers that what has no meaning be refused (RFC 7240, section 4.4). */
export function prefersStrict(request: Asking): boolean {
  return prefers(request, STRICT);
}

/** Whether a request prefers to be told the digest of the block that an answer names. */
export function prefersDigest(request: Asking): boolean {
  return prefers(request, DIGEST);
}

/** What makes the same address another question: that what has no meaning is to be refused, or the head to have more in it. */
export function preferencesOf(request: Asking): string {
  if (request.headers.prefer === undefined) return '';
  return `${prefersStrict(request) ? 'strict ' : ''}${prefersDigest(request) ? 'digest ' : ''}`;
}

function prefers({ headers: { prefer } }: Asking, preference: RegExp): boolean {
  return prefer !== undefined && preference.test(String(prefer));
}

const STRICT = /(?:^|[,;])\s*handling\s*=\s*(?:strict|"strict")\s*(?:$|[,;])/i;
const DIGEST = /(?:^|[,;])\s*block-digest\s*(?:$|[,;])/i;
