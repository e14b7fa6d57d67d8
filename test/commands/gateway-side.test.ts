import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { gatewaySide } from '../../src/commands/gateway-side.ts';

/** What is said of a gateway whose answer is not what it should be. */

test.each<[string, (response: ServerResponse) => void]>([
  ['it did not answer within 60 seconds.', () => {}],
  ['it did not answer within 60 seconds.', (response) => response.write('{"data":')],
  ['other side closed.', (response) => response.write('{"data":', () => response.socket?.end())],
  ['it answers 200.', (response) => response.end('<p>')],
  ['Nothing.', (response) => response.end('{"errors":[{"message":"Nothing."}]}')],
])('%s', async (said, answer) => {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), 500);
  const asking = gatewaySide(url, new AbortController().signal).heights();
  await expect(asking).rejects.toMatchObject({ message: `${url} cannot be compared: ${said}` });
  expect(timeout).toHaveBeenCalledWith(60_000);
  timeout.mockRestore();
  server.closeAllConnections();
  server.close();
});
