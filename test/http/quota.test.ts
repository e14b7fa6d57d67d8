import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientOf, Quota } from '../../src/http/quota.ts';

describe('a quota', () => {
  test('counts for each client and for all, and takes back once what is given back twice', () => {
    const quota = new Quota('streams', { total: 3, perClient: 2 });
    const back = quota.take('a');
    quota.take('a');
    expect(() => quota.take('a')).toThrow('This address has 2 streams open, and may have 2.');
    quota.take('b');
    expect(() => quota.take('c')).toThrow('The gateway has 3 streams open, as many as it takes.');
    back();
    back();
    quota.take('c');
    expect(() => quota.take('d')).toThrow('The gateway has 3 streams open');
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, ''],
  ])('takes %s for the client %s', (remoteAddress, client) => {
    expect(clientOf({ socket: { remoteAddress } } as IncomingMessage)).toBe(client);
  });
});
