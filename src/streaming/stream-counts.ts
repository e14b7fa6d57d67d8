import type { ErrorCode } from '../errors.ts';

/** How a stream reaches its client. */
export type StreamProtocol = 'ndjson' | 'sse' | 'multipart' | 'websocket';

/** Why a stream ended: its client left, or took nothing of it, or it was all told, or it failed with an error. */
export type StreamEnd = 'left' | 'stalled' | 'done' | ErrorCode;

/** What became of the streams of one protocol since the start. */
export interface StreamCount {
  open: number;
  opened: number;
  messages: number;
  readonly ended: Partial<Record<StreamEnd, number>>;
}

/** What became of the WebSockets that were asked for since the start. */
export interface WebSocketCount {
  open: number;
  opened: number;
  /** By the error that refused them; `left` are those whose client was gone before its WebSocket could open. */
  readonly refused: Partial<Record<'left' | ErrorCode, number>>;
}

/** What became of streams and sockets since the start, as plain numbers: read when metrics are asked for. */
export class StreamCounts {
  readonly streams: Readonly<Record<StreamProtocol, StreamCount>> = {
    ndjson: none(),
    sse: none(),
    multipart: none(),
    websocket: none(),
  };
  readonly webSockets: WebSocketCount = { open: 0, opened: 0, refused: {} };
  /** Connections of many operations whose client took nothing, or answered no ping. */
  readonly cut = { stalled: 0, unanswered: 0 };
}

function none(): StreamCount {
  return { open: 0, opened: 0, messages: 0, ended: {} };
}
