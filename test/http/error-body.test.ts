import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, GatewayError, invalidArgument, notFound } from '../../src/errors.ts';
import { errorBody, retryAfterOf, statusOf } from '../../src/http/write/error-body.ts';
import { serve } from './serve.ts';

const SECRET = 'the password is hunter2';

describe('the error body', () => {
  test('carries the code, message and details of an error that clients may read', () => {
    expect(
      errorBody(invalidArgument('pagination.first', 'Parameter pagination.first is "x".'), 'r1'),
    ).toEqual({
      code: 3,
      message: 'Parameter pagination.first is "x".',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'pagination.first', description: 'Parameter pagination.first is "x".' }],
        },
      ],
    });
  });

  test('finds the error that GraphQL execution wrapped', () => {
    const wrapped = new GraphQLError('x', { originalError: notFound('deposit', 'ab') });
    expect(statusOf(wrapped)).toBe(404);
    expect(errorBody(wrapped, 'r1').code).toBe(5);
  });

  test.each([
    ['a connection that was lost', Object.assign(new Error(SECRET), { code: 'ECONNRESET' })],
    [
      'a server that stops, within what Prisma throws',
      new Error(SECRET, { cause: { originalCode: '57P01' } }),
    ],
  ])('says of %s that the database is out of reach, wrapped or not', (_, lost) => {
    for (const thrown of [lost, new GraphQLError('x', { originalError: lost })]) {
      const body = errorBody(thrown, 'r1');
      expect([statusOf(thrown), retryAfterOf(thrown), body.code]).toEqual([503, 1, 14]);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    }
  });

  test.each([new Error(SECRET), new GraphQLError(SECRET), SECRET, null, undefined, { message: SECRET }])(
    'masks whatever else is thrown: %s',
    (thrown) => {
      const body = errorBody(thrown, 'r1');
      expect(statusOf(thrown)).toBe(500);
      expect(body.code).toBe(13);
      expect(body.details).toEqual([
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r1' },
      ]);
      expect(JSON.stringify(body)).not.toContain('hunter2');
      expect(body.message).toContain('r1');
    },
  );

  test.each([
    [new GatewayError('UNAVAILABLE', 'x'), 1],
    [unavailable('5s'), 5],
    [unavailable('0.2s'), 1],
    [unavailable('1.5s'), 2],
    [new GatewayError('NOT_FOUND', 'x'), undefined],
    [new Error('x'), undefined],
  ])('says when to try again: %#', (error, seconds) => {
    expect(retryAfterOf(error)).toBe(seconds);
  });
});

describe('an error thrown by a handler', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s has its status and code', async (code) => {
    const { get } = await serve({
      mount: (app) =>
        app.get('/x', () => {
          throw new GatewayError(code, 'Told <so>.');
        }),
    });
    const answer = await get('/x');
    expect(answer.status).toBe(ERROR_CODES[code].status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('retry-after')).toBe(code === 'UNAVAILABLE' ? '1' : null);
    expect(await answer.text()).toBe(
      `{"code":${ERROR_CODES[code].number},"message":"Told \\u003cso\\u003e.","details":[]}`,
    );
  });

  test('is masked and logged with its stack under the request id when it is not for clients', async () => {
    const { get, log } = await serve({
      mount: (app) =>
        app.get('/x', async () => {
          throw new TypeError(SECRET);
        }),
    });
    const answer = await get('/x', { headers: { 'X-Request-Id': 'my-id-1' } });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text).details[0].requestId).toBe('my-id-1');
    const line = log.find(({ msg }) => msg === 'request failed');
    expect(line).toMatchObject({
      id: 'my-id-1',
      err: { message: SECRET, stack: expect.stringContaining('.test.ts') },
    });
  });

  test('ends a stream that has begun', async () => {
    const { get, log } = await serve({
      mount: (app) =>
        app.get('/x', async (_request, response) => {
          response.write('[1,');
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new Error(SECRET);
        }),
    });
    const answer = await get('/x');
    await expect(answer.text()).rejects.toThrow();
    expect(log.some(({ msg }) => msg === 'request failed')).toBe(true);
  });

  test('answers malformed percent escapes in a path with 400', async () => {
    const { get } = await serve({
      mount: (app) => app.get('/deposit/:id', (_request, response) => void response.end()),
    });
    for (const path of ['/deposit/%', '/deposit/%zz', '/deposit/%ff', '/deposit/a%c3']) {
      const answer = await get(path);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 3, message: expect.stringContaining(path) });
    }
  });
});

function unavailable(retryDelay: string): GatewayError {
  return new GatewayError('UNAVAILABLE', 'x', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
  ]);
}
