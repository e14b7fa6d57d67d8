import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { listen } from './listen.mjs';

/*
 * The least that sending costs with `ws`: one ready-made buffer to every socket in a loop, a frame after the other. POST
 * /send takes how many frames, and of how many bytes.
 */

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { frames, bytes } = JSON.parse(Buffer.concat(chunks));
    response.end('{}');
    const buffer = Buffer.alloc(bytes, 'x');
    for (let frame = 0; frame < frames; frame += 1) await sendToAll(buffer);
  });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });

/** Waits for the last socket, so that no socket's buffer grows without a bound. */
function sendToAll(buffer) {
  return new Promise((resolve) => {
    const all = [...sockets.clients];
    const last = all.pop();
    for (const socket of all) socket.send(buffer, { binary: false });
    last.send(buffer, { binary: false }, resolve);
  });
}
await listen(server);
