import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TimeSlice } from '../../time-slice.ts';
import { CACHE_CONTROL, hasAlready, IMMUTABLE } from './answer.ts';
import { blockHead, type NamedBlock, nameBlockIn } from './block-head.ts';
import { chooseEncoding } from './compress.ts';
import type { RowFormat, RowWriter } from './csv.ts';
import type { Exchange } from './exchange.ts';
import { type HeaderList, setHeaders } from './ready-head.ts';

/** All rows of something, as of one block, and how they are written. */
export interface RowStream {
  readonly pages: AsyncIterable<Iterable<object>>;
  readonly writer: RowWriter;
  readonly format: RowFormat;
  /** What its file is called, less its ending. */
  readonly file: string;
  readonly block: (NamedBlock & { readonly lastPosition: bigint }) | null;
  /** What else the rows differ by, besides their block, their address and their form. */
  readonly variant?: string;
  /** Whether rows as of this block will never be others, and whether nor will those of the address. */
  readonly isFinal: boolean;
  readonly isLasting: boolean;
}

/** Answers with rows while the reader takes them. What fails within them is thrown, and cuts the body. */
export async function sendRowStream({ request, response }: Exchange, stream: RowStream): Promise<void> {
  const { pages, writer } = stream;
  // What a POST asks stands in its body, of which a tag and a cache know nothing.
  const etag = request.method === 'POST' ? null : etagOf(stream, request.headers['accept-encoding']);
  if (stream.block !== null) nameBlockIn(response, blockHead(stream.block, request));
  setHeaders(response, headersOf(stream, etag));
  if (etag !== null && hasAlready(request, etag)) return void response.writeHead(304).end();
  setHeaders(response, ['Content-Type', writer.contentType]);
  if (request.method === 'HEAD') return void response.end();
  await sendText(response, writeRows(pages, writer));
}

/** Strong where the same bytes come each time: what is compressed as it comes may be in others. */
function etagOf({ block, format, variant, isFinal }: RowStream, encodings: string | undefined): string {
  const tag = [block?.lastPosition ?? 0, format, ...(variant === undefined ? [] : [variant])].join('-');
  return `${isFinal && chooseEncoding(encodings) === 'identity' ? '' : 'W/'}"${tag}"`;
}

function headersOf({ file, writer, isLasting }: RowStream, etag: string | null): HeaderList {
  return [
    ...(etag === null
      ? ['Cache-Control', 'no-store']
      : ['Cache-Control', isLasting ? IMMUTABLE : CACHE_CONTROL, 'ETag', etag]),
    ...['Content-Disposition', `attachment; filename="${file}.${writer.extension}"`],
  ];
}

/** So much text is handed over at a time. */
const PIECE = 2 ** 16;

/** The text of rows, piece by piece, while others have their turns. */
export async function* writeRows(
  pages: AsyncIterable<Iterable<object>> | Iterable<Iterable<object>>,
  { header, width, write }: RowWriter,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let text = header;
  for await (const rows of pages) {
    for (const row of rows) {
      text += write(row);
      if (slice.isOver(width)) await slice.next();
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** The pipeline waits where the client reads slowly, and stops asking when it is gone. */
export async function sendText(response: Exchange['response'], pieces: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces, { objectMode: false }), response).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    },
  );
}
