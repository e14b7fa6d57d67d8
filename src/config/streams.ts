import { option, whole } from './option.ts';

export const streams = {
  maxStreams: option(
    'MAX_STREAMS',
    'how many streams may be open at once, on all transports together',
    '10000',
    whole(1, 1e6),
  ),
  maxStreamsPerClient: option(
    'MAX_STREAMS_PER_CLIENT',
    'how many of them one client may have: an address, or the one that a trusted proxy names',
    '250',
    whole(1, 1e6),
  ),
  maxSockets: option(
    'MAX_SOCKETS',
    'how many WebSockets may be open at once, and as many event streams of many operations',
    '10000',
    whole(1, 1e6),
  ),
  maxSocketsPerClient: option(
    'MAX_SOCKETS_PER_CLIENT',
    'how many of them one address may have',
    '250',
    whole(1, 1e6),
  ),
  maxOperationsPerSocket: option(
    'MAX_OPERATIONS_PER_SOCKET',
    'how many operations may be open at once on one GraphQL WebSocket',
    '100',
    whole(1, 1e6),
  ),
  bufferMessages: option(
    'STREAM_BUFFER_MESSAGES',
    'how many messages may wait for a slow reader before its stream ends with an error',
    '1000',
    whole(1, 1e6),
  ),
  bufferRows: option(
    'STREAM_BUFFER_ROWS',
    'how many rows these messages may have together',
    '100000',
    whole(1, 1e8),
  ),
  heartbeatMs: option(
    'STREAM_HEARTBEAT_MS',
    'how often a quiet stream shows that it is alive; a WebSocket that answers none of three is cut',
    '15000',
    whole(20, 600_000),
  ),
  stallMs: option(
    'STREAM_STALL_MS',
    'how long a reader may take nothing of what waits for it before its stream ends',
    '30000',
    whole(20, 600_000),
  ),
  pollMs: option(
    'FEED_POLL_MS',
    'how often the feed asks the database for new blocks without a notification, which can get lost',
    '5000',
    whole(20, 600_000),
  ),
} as const;
