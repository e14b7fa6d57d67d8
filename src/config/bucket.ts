import { option } from './option.ts';

const ANY = { takes: 'a text', read: (text: string) => text } as const;
const hide = () => '***';

/** What buckets (s3://…) are written and read with, by the names that other programs have for it. */
export const bucket = {
  accessKeyId: option(
    'AWS_ACCESS_KEY_ID',
    'the key by which an object store knows who writes to a bucket or reads it (s3://…)',
    null,
    ANY,
  ),
  secretAccessKey: option('AWS_SECRET_ACCESS_KEY', 'the secret of that key', null, ANY, hide),
  sessionToken: option('AWS_SESSION_TOKEN', 'the token that goes with a key of short life', null, ANY, hide),
  region: option('AWS_REGION', 'where the bucket is', 'us-east-1', {
    takes: 'a name of small letters, digits and -',
    read: (text) => (/^[a-z0-9-]{1,64}$/.test(text) ? text : undefined),
  }),
  endpoint: option(
    'AWS_ENDPOINT_URL',
    'the address of an object store of your own; not set: Amazon S3 in that region',
    null,
    {
      takes: 'an address such as https://store.example:9000',
      read: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    },
  ),
} as const;
