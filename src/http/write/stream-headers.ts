/** What an answer says that goes on for as long as its reader stays, so that nobody in between holds it back. */
export const STREAM_HEADERS = {
  // Not compressed either: a compressor for each stream would take more memory than all else that it needs.
  'Cache-Control': 'no-store, no-transform',
  // nginx would otherwise collect some kilobytes before it passes the first on.
  'X-Accel-Buffering': 'no',
} as const;
