import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listenEach } from './listen.mjs';

/*
 * The least that Node can do: known bytes, with the headers that any JSON answer has. To a POST when its body is there; to
 * a question for the same version, that it is the same. WORKERS says how many processes do so.
 */

const ETAG = '"bench"';
const body = readFileSync(process.env.BODY_FILE);
const head = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length, ETag: ETAG };

function answer(request, response) {
  if (request.method === 'POST') {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      Buffer.concat(chunks);
      response.writeHead(200, head);
      response.end(body);
    });
  } else if (request.headers['if-none-match'] === ETAG) {
    response.writeHead(304, { ETag: ETAG });
    response.end();
  } else {
    response.writeHead(200, head);
    response.end(body);
  }
}

await listenEach(() => createServer(answer));
