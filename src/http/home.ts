import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { Answer } from './answer.ts';
import { chooseEncoding } from './compress.ts';
import { onlyMethods } from './methods.ts';
import { sendAnswer } from './send-answer.ts';

/** What the page is made of, once it is built. The sources are in src/page; compiled or not, this file is as deep. */
const FOLDER = new URL('../../dist/page/', import.meta.url);

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

type File = keyof typeof TYPES;

/** The page runs its own scripts, connects to where it came from, and nothing else. */
const PAGE_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

/**
 * Serves `/`: the page to browsers, and to everybody else where the interfaces are, as JSON. Each file is read when it is
 * first asked for, and then there, compressed too.
 */
export function createHome(links: Readonly<Record<string, unknown>>): Router {
  const files = new Map<File, Promise<Answer>>();
  const directory = new Answer('application/json', `${JSON.stringify(links, null, 1)}\n`);

  const sendFile = async (name: File, request: IncomingMessage, response: ServerResponse) => {
    const file = files.get(name) ?? read(name);
    files.set(name, file);
    // What failed once may be tried again.
    file.catch(() => files.delete(name));
    await send(request, response, await file);
  };

  const router = Router({ caseSensitive: true, strict: true });
  router.all('/', onlyMethods('GET'), async (request, response) => {
    response.vary('Accept');
    if (request.headers.accept?.includes('text/html')) await sendFile('index.html', request, response);
    else await send(request, response, directory);
  });
  for (const name of ['main.js', 'style.css', 'icon.svg'] as const) {
    router.all(`/page/${name}`, onlyMethods('GET'), (request, response) => sendFile(name, request, response));
  }
  return router;
}

async function read(name: File): Promise<Answer> {
  const headers = name === 'index.html' ? PAGE_HEADERS : [];
  return new Answer(TYPES[name], await readFile(new URL(name, FOLDER), 'utf8'), headers);
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void | Promise<void> {
  response.appendHeader('Vary', 'Accept-Encoding');
  // An unusual Accept-Encoding is for the application's compression to read.
  return sendAnswer(
    request,
    response,
    answer,
    chooseEncoding(request.headers['accept-encoding']) ?? 'identity',
  );
}
