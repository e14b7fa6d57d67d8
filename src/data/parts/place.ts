import { basename, dirname } from 'node:path';
import { GatewayError } from '../../errors.ts';
import { MANIFEST_NAME } from './manifest.ts';

/** Where parts are. The name is for people: what stands in an address to be let in is not in it. */
export type PartPlace =
  | { readonly kind: 'folder'; readonly name: string }
  /** Its query goes with whatever is asked for: it may be what lets one in. */
  | { readonly kind: 'web'; readonly name: string; readonly url: URL }
  | { readonly kind: 'bucket'; readonly name: string; readonly bucket: string; readonly folders: string };

/** What parts may be named by. Throws INVALID_ARGUMENT where they cannot be there. */
export function readPlace(text: string): PartPlace {
  const place = findPlace(text);
  if (place !== null) return place;
  const what = text.trim() === '' ? 'Nothing' : text;
  throw refusal(`${what} names no place of parts: it takes a folder, https://… or s3://BUCKET/FOLDER.`);
}

/** Finds what parts are named by; null where a text is empty, or the address of something else. */
export function findPlace(text: string): PartPlace | null {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  if (text.trim() === '') return null;
  if (scheme === undefined) return { kind: 'folder', name: withoutManifest(text) };
  if (/^https?$/i.test(scheme)) return readWeb(text);
  return scheme === 's3' ? readBucket(text) : null;
}

/** The address of a file of a folder behind HTTP. */
export function addressOf(folder: URL, name: string): URL {
  const url = new URL(name, folder);
  url.search = folder.search;
  return url;
}

/** An address as messages have it. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function readWeb(text: string): PartPlace {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw refusal(`${text} cannot be read as an address.`);
  if (url.username !== '' || url.password !== '')
    throw refusal(
      `An address of parts takes no user and no password (${url.host}): let its server let in whom a query names, or all.`,
    );
  url.pathname = withoutManifest(url.pathname).replace(/\/?$/, '/');
  url.hash = '';
  return { kind: 'web', name: withoutQuery(url), url };
}

/** A bucket, and the folders within it. */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/;

function readBucket(text: string): PartPlace {
  const [, bucket, folders] = BUCKET.exec(text) ?? [];
  if (bucket === undefined || folders === undefined)
    throw refusal(`${text} names no bucket: it takes s3://BUCKET or s3://BUCKET/FOLDER.`);
  const whole = folders.replace(new RegExp(`/${MANIFEST_NAME}$`), '');
  return { kind: 'bucket', name: `s3://${bucket}${whole}`, bucket, folders: whole };
}

/** Who names the manifest means the folder that it is in. */
function withoutManifest(path: string): string {
  return basename(path) === MANIFEST_NAME ? dirname(path) : path;
}

function refusal(message: string): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', message);
}
