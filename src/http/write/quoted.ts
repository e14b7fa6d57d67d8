import { quoted } from '../../errors.ts';

/** The path of a request as a message shows it: as it was sent, without the query. */
export function quotedPath({
  url = '',
  originalUrl = url,
}: {
  readonly url?: string | undefined;
  readonly originalUrl?: string;
}): string {
  return quoted(originalUrl.split('?', 1)[0] ?? '');
}
