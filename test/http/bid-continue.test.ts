import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Setup, serve } from './serve.ts';

const mount: NonNullable<Setup['mount']> = (app) => {
  app.get('/late', async (_request, response) => {
    await sleep(50);
    end(response, 'late');
  });
  app.all('/bytes', (request, response) => end(response, `<${request.body ?? ''}>`));
};

/** With bytes: Node puts their head before all that waits. */
function end(response: ServerResponse, text: string): void {
  response.setHeader('Content-Length', text.length).end(Buffer.from(text));
}

const LATE = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n';
const EXPECTING = 'Host: x\r\nConnection: close\r\nExpect: 100-continue\r\n';

test('what has no body is answered behind another without more ado', async () => {
  const { raw } = await serve({ mount });
  const [late, bytes, ...others] = partsOf(await raw(`${LATE}GET /bytes HTTP/1.1\r\n${EXPECTING}\r\n`));
  expect([late, bytes, others]).toEqual([['200', 'late'], ['200', '<>'], []]);
});

test.each([
  [
    'alone',
    '',
    [
      ['100', ''],
      ['200', '<body>'],
    ],
  ],
  [
    'behind another',
    LATE,
    [
      ['200', 'late'],
      ['100', ''],
      ['200', '<body>'],
    ],
  ],
])('a body that is held back is bidden, and its answer comes behind that: %s', async (_, before, answers) => {
  const { port } = await serve({ mount });
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`${before}POST /bytes HTTP/1.1\r\n${EXPECTING}Content-Length: 4\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.endsWith('HTTP/1.1 100 Continue\r\n\r\n')) socket.write('body');
  }
  expect(partsOf(text)).toEqual(answers);
});

test('a body that is there already need not be bidden', async () => {
  const { raw } = await serve({ mount });
  const post = `POST /bytes HTTP/1.1\r\n${EXPECTING}Content-Length: 4\r\n\r\nbody`;
  expect(partsOf(await raw(`${LATE}${post}`))).toEqual([
    ['200', 'late'],
    ['200', '<body>'],
  ]);
});

/** The status and body of each answer. */
function partsOf(text: string): (readonly [status: string, body: string])[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .map((answer) => [answer.slice(9, 12), answer.slice(answer.indexOf('\r\n\r\n') + 4)] as const);
}
