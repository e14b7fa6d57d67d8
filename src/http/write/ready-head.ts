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
  const lines: string[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value = ''] = [list[index], list[index + 1]];
    if (!soundNames.has(name)) {
      validateHeaderName(name);
      soundNames.add(name);
    }
    validateHeaderValue(name, value);
    lines.push(name, ': ', value, '\r\n');
  }
  return { list, lines: lines.join('') };
}

/** They are few, all of our own. */
const soundNames = new Set<string>();

export const NO_HEADERS = readyHeaders([]);

/** Writes the head of an answer of headers that are ready. */
export type WriteHead = (response: ServerResponse, status: number, headers: readonly ReadyHeaders[]) => void;

/** What an answer is sent with besides its own: the headers that come first, and how its head is written. */
export interface SendOptions {
  readonly before?: readonly ReadyHeaders[];
  readonly write?: WriteHead;
}

/** As Node has it: after what was set on the response one by one. */
export const writeHead: WriteHead = (response, status, headers) => {
  response.writeHead(
    status,
    headers.flatMap(({ list }) => list),
  );
};

/**
 * Makes what writes heads from lines that are ready, for the answers of one server. Node checks and writes every header of
 * every answer anew, which costs more than all else that a short answer takes, and has no public way around it; so the
 * head is put where Node itself puts the one that it has written, `_header`. What Node adds at its end (the date, how
 * long the connection is kept) is taken from a head that it wrote in the same second. Where that is not found, and
 * where an answer is not the usual one (headers are set already, or the connection ends with it), Node writes it.
 */
export function createHeadWriter(): HeadWriter {
  let end: { readonly second: number; readonly lines: string } | null = null;
  const endNow = () => (end?.second === Math.floor(Date.now() / 1000) ? end.lines : null);
  const write: WriteHead = (response: WithHead, status, headers) => {
    if (headOf(response) !== null || !response.shouldKeepAlive || response.getHeaderNames().length > 0) {
      writeHead(response, status, headers);
      return;
    }
    let lines = '';
    for (const ready of headers) lines += ready.lines;
    const head = `${statusLine(status)}${lines}`;
    const known = endNow();
    if (known !== null) {
      response.statusCode = status;
      response._header = head + known;
      return;
    }
    const second = Math.floor(Date.now() / 1000);
    writeHead(response, status, headers);
    const written = headOf(response);
    const isKnown = typeof written === 'string' && written.startsWith(head);
    end = isKnown ? { second, lines: written.slice(head.length) } : null;
  };
  return { write, endNow };
}

/** Writes heads, and says what they end with. */
export interface HeadWriter {
  readonly write: WriteHead;
  /** What Node ends a head with at this moment, the empty line included; null where it has not written one in this second. */
  readonly endNow: () => string | null;
}

/** What the head of an answer begins with. */
export function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
}

type WithHead = ServerResponse & { _header?: unknown };

/** The head that is written and not sent yet; null where there is none. */
function headOf(response: WithHead): unknown {
  return response._header;
}
