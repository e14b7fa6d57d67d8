import { describe, expect, test } from 'vitest';
import { OPERATION_PARTS } from '../../src/streaming/operation-parts.ts';

const HANGS_MS = 5_000;

describe('a stream comes as parts of a body', () => {
  test.each([
    ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json', true],
    ['application/json,\tmultipart/mixed ; subscriptionSpec="1.0"', true],
    ['Multipart/Mixed;boundary="graphql";subscriptionSpec=1.0', true],
    ['multipart/mixed;deferSpec=20220824, multipart/mixed;subscriptionSpec=1.0', true],
    ['multipart/mixed, text/plain;subscriptionSpec=1.0', false],
    ['multipart/mixed;boundary=graphql, application/json', false],
  ])('where that is asked for: %s', (accept, isAccepted) => {
    expect(OPERATION_PARTS.accepted.test(accept)).toBe(isAccepted);
  });

  // What looks to the end at each of them is at it for ten seconds.
  test('and that is found by one look', { timeout: HANGS_MS }, () => {
    expect(OPERATION_PARTS.accepted.test('multipart/mixed;'.repeat(25_000))).toBe(false);
  });
});
