/** What a close frame has room for beside its code. */
const MAX_BYTES = 123;

/** As much of a text as can be the reason of a WebSocket's close, in whole characters. */
export function closeReason(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES));
  return text.slice(0, read);
}
