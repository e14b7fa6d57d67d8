import type { PeerAddress } from './listen.ts';

/** Reads `tcp://host:port`. Throws a RangeError that says what is accepted. */
export function readPeerAddress(text: string): PeerAddress {
  const [, bracketed, plain, digits] = /^tcp:\/\/(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65535) return { host, port };
  throw new RangeError('It takes an address such as tcp://127.0.0.1:3005 (0.0.0.0 lets other machines in).');
}
