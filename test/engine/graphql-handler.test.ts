import { expect, test } from 'vitest';
import { createGraphqlServer } from '../../src/graphql-http/yoga.ts';
import { serve } from '../http/serve.ts';

test('what Yoga throws before its plugins is answered with the error body, and logged', async () => {
  const { get, log } = await serve({
    mount: (app, writer, logger) => {
      app.use((request, _response, next) => {
        // Yoga makes an address of it, which fails. The checks of the application let nobody send it.
        request.headers.host = '1.2.3.4.5';
        next();
      });
      app.all('/graphql', createGraphqlServer(null as never, writer, logger).serve);
    },
  });
  const answer = await get('/graphql?query={one}');
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { code: 13, message: expect.not.stringMatching(/Invalid URL|\bat /), details: expect.anything() },
  ]);
  expect(log).toContainEqual(expect.objectContaining({ msg: 'request failed' }));
});
