import { isIPv6, type Socket } from 'node:net';

/**
 * Whom a connection, and each request on it, counts for: the address that it came from. Of an IPv6 address the network
 * (/64), since whoever has one has all of it. No header is asked: anybody can write one.
 */
export function clientOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  const address = (remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '').split('%', 1)[0] ?? '';
  return isIPv6(address) ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : new Array<string>(8 - first.length - last.length).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
