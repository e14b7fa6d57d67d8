import { GatewayError } from '../../errors.ts';

/** A bucket, and the folders within it. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/;

/** Whether an address is one of an object store. */
export function isBucket(address: string): boolean {
  return address.startsWith('s3://');
}

/** What an address of an object store names; `folders` is empty, or begins with a slash. Throws INVALID_ARGUMENT where it is no bucket. */
export function readBucketAddress(address: string): { readonly bucket: string; readonly folders: string } {
  const [, bucket, folders] = ADDRESS.exec(address) ?? [];
  if (bucket !== undefined && folders !== undefined) return { bucket, folders };
  throw new GatewayError(
    'INVALID_ARGUMENT',
    `${address} names no bucket: it takes s3://BUCKET or s3://BUCKET/FOLDER.`,
  );
}
