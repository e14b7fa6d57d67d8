import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createClientAddresses, type TrustedProxies } from '../../src/http/limits/client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('%s counts for the client %s', (remoteAddress, client) => {
  const { addresses } = clients(null);
  expect(addresses.ofConnection({ remoteAddress })).toBe(client);
  expect(addresses.ofRequest({ headers: {}, socket: { remoteAddress } })).toBe(client);
});

describe('an address that a proxy forwards', () => {
  test.each<[TrustedProxies, string, string, string]>([
    [null, '10.0.0.1', '192.0.2.7', '10.0.0.1'],
    [1, '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    [1, '10.0.0.1', 'forged, 192.0.2.7', '192.0.2.7'],
    [2, '10.0.0.1', '198.51.100.1, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    [2, '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    [['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, 192.0.2.7, 10.9.9.9', '192.0.2.7'],
    [['10.0.0.0/8'], '172.16.0.1', '192.0.2.7', '172.16.0.1'],
    [['loopback'], '127.0.0.1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    [['loopback'], '::ffff:127.0.0.1', '192.0.2.7', '192.0.2.7'],
    [['loopback'], '127.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    [['loopback'], '127.0.0.1', '[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
    [['loopback'], '127.0.0.1', 'unknown', '127.0.0.1'],
    [['loopback'], '127.0.0.1', '', '127.0.0.1'],
  ])('with %j trusted, from %s, of "%s" counts for %s', (trusted, remoteAddress, forwarded, client) => {
    const { addresses } = clients(trusted);
    const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } };
    expect(addresses.ofRequest(request)).toBe(client);
  });

  test('is looked for at the end of a list that no chain of proxies makes', () => {
    const { addresses } = clients(['loopback']);
    const peer = { remoteAddress: '127.0.0.1' };
    for (const [forwarded, client] of [
      [`192.0.2.7, ${'127.0.0.2, '.repeat(100)}127.0.0.3`, '127.0.0.2'],
      [`${'x'.repeat(5000)},192.0.2.7`, '192.0.2.7'],
      ['x'.repeat(5000), '127.0.0.1'],
    ] as const) {
      const request = { headers: { 'x-forwarded-for': forwarded }, socket: peer };
      expect(addresses.ofRequest(request)).toBe(client);
    }
  });

  test('counts for the peer that sent it where it is none, however often it is asked', () => {
    const { addresses } = clients(['10.0.0.0/8']);
    for (const remoteAddress of ['10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.2'])
      expect(
        addresses.ofRequest({ headers: { 'x-forwarded-for': 'unknown' }, socket: { remoteAddress } }),
      ).toBe(remoteAddress);
  });

  test('is logged once where the peer is not trusted, with the setting that would trust it', () => {
    const { addresses, lines } = clients(['10.0.0.1']);
    for (const remoteAddress of ['192.0.2.1', '192.0.2.2', '10.0.0.1'])
      addresses.ofRequest({ headers: { 'x-forwarded-for': '1.2.3.4' }, socket: { remoteAddress } });
    expect(lines).toEqual([expect.stringContaining('TRUSTED_PROXIES')]);
    expect(lines[0]).toContain('"peer":"192.0.2.1"');
  });
});

test('a connection of a trusted proxy counts for nobody', () => {
  const { addresses } = clients(['10.0.0.0/8']);
  expect(addresses.ofConnection({ remoteAddress: '10.1.2.3' })).toBeNull();
  expect(addresses.ofConnection({ remoteAddress: '192.0.2.7' })).toBe('192.0.2.7');
});

function clients(trusted: TrustedProxies) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  return { addresses: createClientAddresses(trusted, logger), lines };
}
