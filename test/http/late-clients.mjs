// Clients in a thread of their own, whose requests arrive while the server's thread does something else: some on kept
// connections, some on new ones. Gives what each of them was answered, or the code of its error.
import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, sent } = workerData;
const REQUEST = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n';

function open() {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const client = { socket, answer: '' };
  socket.on('data', (chunk) => {
    client.answer += chunk;
  });
  client.closed = new Promise((resolve) => {
    socket.once('error', (error) => resolve(error.code));
    socket.once('close', () => resolve(client.answer));
  });
  return client;
}

const write = ({ socket }) => new Promise((resolve) => socket.write(REQUEST, resolve));

const kept = Array.from({ length: workerData.kept }, open);
for (const client of kept) {
  await write(client);
  await once(client.socket, 'data');
  client.answer = '';
}
parentPort.postMessage('kept');
await once(parentPort, 'message');
const fresh = Array.from({ length: workerData.fresh }, open);
await Promise.all(fresh.map(({ socket }) => once(socket, 'connect')));
await Promise.all([...kept, ...fresh].map(write));
// The server's thread sleeps until now.
Atomics.store(sent, 0, 1);
Atomics.notify(sent, 0);
parentPort.postMessage(await Promise.all([...kept, ...fresh].map(({ closed }) => closed)));
