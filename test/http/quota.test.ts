import { describe, expect, test } from 'vitest';
import { CountedQuota } from '../../src/http/limits/quota.ts';

describe('a quota', () => {
  test('counts for each client and for all, and takes back once what is given back twice', () => {
    const quota = new CountedQuota('streams', { total: 3, perClient: 2 });
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
});
