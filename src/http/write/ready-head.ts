import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';

/** Names and values in turn, as Node takes them. */
export type HeaderList = readonly string[];

/** Headers as a list, and as the lines of a head: checked and written once for all the answers that have them. */
export interface ReadyHeaders {
  readonly list: HeaderList;
  readonly lines: string;
}

/** Throws for a header that could not be sent, as Node does. */
export function readyHeaders(list: HeaderList): ReadyHeaders {
  let lines = '';
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value = ''] = [list[index], list[index + 1]];
    if (!soundNames.has(name)) {
      validateHeaderName(name);
      soundNames.add(name);
    }
    validateHeaderValue(name, value);
    lines += `${name}: ${value}\r\n`;
  }
  return { list, lines };
}

/** They are few, all of our own. */
const soundNames = new Set<string>();

export const NO_HEADERS = readyHeaders([]);

/** What a response ends with. */
export interface Outgoing {
  readonly status: number;
  readonly body: string | Buffer | null;
  /** How long the body is. */
  readonly bytes: number;
}

/** Sets headers on a response whose head others go on with. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let index = 0; index < headers.length; index += 2)
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

/**
 * Writes heads from lines that are ready. Node checks and writes every header of every answer anew, which costs more than
 * all else that a short answer takes, and has no public way around it. So the head is put where Node itself puts the one
 * that it has written: `_header`. What Node adds at its end (the date, how long the connection is kept) is taken from a
 * head that it wrote in the same second. Node writes the head itself where that is not found, and where an answer is not
 * the usual one: headers are set already, or the connection ends with it.
 *
 * A body that is text goes with its head: Node writes one text for a seventh less than two, of all that a kept row takes.
 */
export class HeadWriter {
  #end: { readonly second: number; readonly lines: string } | null = null;

  /** Ends a response: writes its head and its body. */
  end(response: WithHead, { status, body, bytes }: Outgoing, headers: readonly ReadyHeaders[]): void {
    const head = this.#write(response, status, headers);
    // A text without any character beyond ASCII, as most are, needs no encoding.
    const isAscii = body?.length === bytes;
    const isText = head !== null && isAscii && typeof body === 'string';
    if (head !== null) response._header = isText ? head + body : head;
    if (body === null || isText) response.end();
    else response.end(body, isAscii ? 'latin1' : 'utf8');
  }

  /** Gives a head that is to be put on the response; null where Node has written it. */
  #write(response: WithHead, status: number, headers: readonly ReadyHeaders[]): string | null {
    if (response._header || !response.shouldKeepAlive || response.getHeaderNames().length > 0) {
      writeByNode(response, status, headers);
      return null;
    }
    const second = Math.floor(Date.now() / 1000);
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (const ready of headers) head += ready.lines;
    if (this.#end?.second === second) {
      response.statusCode = status;
      return head + this.#end.lines;
    }
    writeByNode(response, status, headers);
    const { _header: written } = response;
    const isKnown = typeof written === 'string' && written.startsWith(head);
    // Node may end the connection after all, as where a client expects to be bidden: that is for this answer alone.
    const isForAll = isKnown && !written.includes('\r\nConnection: close\r\n', head.length - 2);
    this.#end = isForAll ? { second, lines: written.slice(head.length) } : null;
    return null;
  }
}

/** As Node has it: after what was set on the response one by one. */
function writeByNode(response: ServerResponse, status: number, headers: readonly ReadyHeaders[]): void {
  response.writeHead(
    status,
    headers.flatMap(({ list }) => list),
  );
}

/** The head that is written and not sent yet: a private end of Node. */
type WithHead = ServerResponse & { _header?: unknown };
