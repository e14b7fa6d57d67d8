import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listenEach } from './listen.mjs';

/*
 * The least that Node can do: known bytes, head and body. To a POST when its body is there; to a question for the same
 * version, that it is the same. WORKERS says how many processes do so.
 */

const body = readFileSync(process.env.BODY_FILE);
const head = JSON.parse(readFileSync(process.env.HEAD_FILE, 'utf8'));
const { etag, 'content-length': _length, 'content-type': _type, ...sameHead } = head;
const same = { ...sameHead, etag };

function answer(request, response) {
  if (request.method === 'POST') {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      Buffer.concat(chunks);
      response.writeHead(200, head);
      response.end(body);
    });
  } else if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, same);
    response.end();
  } else {
    response.writeHead(200, head);
    response.end(body);
  }
}

await listenEach(() => createServer(answer));
