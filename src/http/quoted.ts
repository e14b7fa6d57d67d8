import { quoted } from '../errors.ts';

/** The path of a request as a message shows it: as it was sent, without the query. */
export function quotedPath(request: { readonly originalUrl: string }): string {
  return quoted(request.originalUrl.split('?', 1)[0] ?? '');
}
