// Many clients of streams in a process of their own, which only count what comes and look for the height of its block.
// fork('streams-clients.mjs'); each message asks for something, and is answered by one.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const seen = { messages: 0, bytes: 0, arrivals: [] };
const sockets = [];

const answers = {
  async open({ url, form, count, perSocket, messages }) {
    const before = seen.messages;
    for (let first = 0; first < count; first += perSocket) {
      const own = messages.slice(first % messages.length).slice(0, perSocket);
      while (own.length < Math.min(perSocket, count - first)) own.push(messages[0]);
      await openSocket(url, form, own);
    }
    // Each begins with a snapshot, where there is one.
    return { before };
  },
  count: async () => ({ messages: seen.messages, bytes: seen.bytes }),
  async arrivals() {
    const { arrivals } = seen;
    seen.arrivals = [];
    return { arrivals };
  },
};

process.on('message', async ({ ask, ...given }) => process.send(await answers[ask](given)));
process.once('disconnect', () => process.exit());

/** Opens a connection: a WebSocket of GraphQL with an operation for each message, or a documented stream. */
function openSocket(url, form, own) {
  const { hostname, port } = new URL(url);
  const isSocket = form === 'graphql-ws' || form === 'frames';
  const path = form === 'graphql-ws' ? '/graphql' : own[0];
  const head = [`GET ${path} HTTP/1.1`, `Host: ${hostname}:${port}`];
  if (isSocket)
    head.push(
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    );
  if (form === 'graphql-ws') head.push('Sec-WebSocket-Protocol: graphql-transport-ws');
  if (form === 'events') head.push('Accept: text/event-stream');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.once('data', (first) => {
      const end = first.indexOf('\r\n\r\n') + 4;
      if (
        !first
          .subarray(0, 12)
          .toString()
          .match(isSocket ? / 101/ : / 200/)
      )
        return reject(new Error(first.toString()));
      const read = isSocket ? frameReader(countMessage) : bodyReader();
      socket.on('data', (bytes) => {
        seen.bytes += bytes.length;
        read(bytes);
      });
      if (end < first.length) read(first.subarray(end));
      if (form !== 'graphql-ws') return resolve();
      socket.write(frame('{"type":"connection_init"}'));
      // The acknowledgement.
      socket.once('data', () => {
        for (const [n, payload] of own.entries())
          socket.write(frame(JSON.stringify({ id: `${n}`, type: 'subscribe', payload })));
        resolve();
      });
    });
  });
}

const TIME = Buffer.from('"height":"');

function countMessage(bytes) {
  const start = bytes.indexOf(TIME);
  // Acknowledgements name no block.
  if (start === -1 && bytes.indexOf('connection_ack') !== -1) return;
  seen.messages += 1;
  if (start === -1) return;
  const from = start + TIME.length;
  const height = Number(bytes.toString('latin1', from, bytes.indexOf(0x22, from)));
  if (seen.arrivals.length < 100_000) seen.arrivals.push([height, now()]);
}

/** Milliseconds of the machine's clock, which all processes share. */
function now() {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Counts the messages of a body: one a line that begins with {, or with data: */
function bodyReader() {
  let rest = '';
  return (bytes) => {
    const lines = (rest + bytes.toString('latin1')).split('\n');
    rest = lines.pop();
    for (const line of lines)
      if (line.startsWith('{') || line.startsWith('data: ')) countMessage(Buffer.from(line));
  };
}

/** Reads frames that are not masked; pings are not answered, so runs are shorter than two heartbeats. */
function frameReader(onText) {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    while (rest.length - at >= 2) {
      let length = rest[at + 1] & 127;
      let start = at + 2;
      if (length === 126) {
        if (rest.length < at + 4) break;
        length = rest.readUInt16BE(at + 2);
        start = at + 4;
      } else if (length === 127) {
        if (rest.length < at + 10) break;
        length = Number(rest.readBigUInt64BE(at + 2));
        start = at + 10;
      }
      if (rest.length < start + length) break;
      if ((rest[at] & 15) === 1) onText(rest.subarray(start, start + length));
      at = start + length;
    }
    rest = rest.subarray(at);
  };
}

function frame(text) {
  const bytes = Buffer.from(text);
  const head = bytes.length < 126 ? Buffer.alloc(6) : Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | Math.min(bytes.length, 126);
  if (bytes.length >= 126) head.writeUInt16BE(bytes.length, 2);
  // A mask of zeros leaves the text as it is.
  return Buffer.concat([head, bytes]);
}
