import { letRead } from './cors.ts';
import { type ReadyHeaders, readyHeaders } from './ready-head.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { VARY } from './send-answer.ts';

/** The headers that every answer of the front has, by the origin of the page that asks: made once for each kind. */
export function createFrontHead(
  allowed: '*' | readonly string[],
): (origin: string | undefined) => ReadyHeaders {
  const security = Object.entries(SECURITY_HEADERS).flat();
  if (allowed === '*') {
    const forAll = readyHeaders([...security, ...letRead('*'), 'Vary', VARY]);
    return () => forAll;
  }
  const vary = ['Vary', `Origin, ${VARY}`];
  const others = readyHeaders([...security, ...vary]);
  const own = new Map(
    allowed.map((origin) => [origin, readyHeaders([...security, ...letRead(origin), ...vary])]),
  );
  return (origin) => (origin === undefined ? undefined : own.get(origin)) ?? others;
}
