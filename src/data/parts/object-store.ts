import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { GatewayError } from '../../errors.ts';
import type { PartPlace } from './place.ts';
import { MOST_TEXT_BYTES, mayPass, type Retries, retrying, SILENCE_MS } from './retrying.ts';

/** Who writes to a bucket or reads it, and where it is. */
export interface BucketSettings {
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  readonly region: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
}

/** What is sent: its bytes can be read again where it has to be sent again. */
interface Body {
  readonly sha256: string;
  readonly bytes: number;
  readonly open: () => Readable;
}

/** What a store takes at once. */
const MOST_FILE_BYTES = 5 * 2 ** 30;
const NO_BODY: Body = { sha256: hash('sha256', ''), bytes: 0, open: () => Readable.from([]) };

export type BucketPlace = Extract<PartPlace, { readonly kind: 'bucket' }>;

/** A folder of a bucket, of a store that speaks Amazon S3's protocol. Each request is signed (Signature Version 4). */
export class ObjectStore {
  /** The address of the folder. */
  readonly #base: string;
  readonly #settings: BucketSettings;
  readonly #retries: Retries;

  /** Throws FAILED_PRECONDITION where there is no key. */
  constructor({ bucket, folders }: BucketPlace, settings: BucketSettings, retries: Retries) {
    const { endpoint, region, accessKeyId, secretAccessKey } = settings;
    if (accessKeyId === null || secretAccessKey === null)
      throw new GatewayError(
        'FAILED_PRECONDITION',
        `s3://${bucket} takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which are not both set.`,
      );
    this.#base = `${bucketAddress(bucket, endpoint, region)}${folders}/`;
    this.#settings = settings;
    this.#retries = retries;
  }

  /** The text of an object; null where it is not there. */
  async readText(key: string): Promise<string | null> {
    const { status, text } = await this.#ask('GET', key, NO_BODY, [200, 404]);
    return status === 404 ? null : text;
  }

  async writeText(key: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#ask(
      'PUT',
      key,
      { sha256: hash('sha256', bytes), bytes: bytes.length, open: () => Readable.from([bytes]) },
      [200],
    );
  }

  /** Sends a file whose hash is known: the store compares it with what it gets. */
  async writeFile(key: string, path: string, { sha256, bytes }: Omit<Body, 'open'>): Promise<void> {
    if (bytes > MOST_FILE_BYTES)
      throw new GatewayError(
        'FAILED_PRECONDITION',
        `${key} has ${bytes} bytes, and a bucket takes ${MOST_FILE_BYTES} at once: write smaller parts (--blocks-per-part), or to a folder.`,
      );
    await this.#ask(
      'PUT',
      key,
      { sha256, bytes, open: () => createReadStream(path, { highWaterMark: 2 ** 20 }) },
      [200],
    );
  }

  /** Where an object is, and the headers by which the store gives it within the next minutes. */
  async signGet(key: string): Promise<{ readonly url: URL; readonly headers: SentHeaders }> {
    return this.#sign('GET', `${this.#base}${key}`, NO_BODY.sha256);
  }

  async remove(key: string): Promise<void> {
    await this.#ask('DELETE', key, NO_BODY, [200, 204, 404]);
  }

  #ask(method: string, key: string, body: Body, expected: readonly number[]): Promise<Answer> {
    const url = `${this.#base}${key}`;
    return retrying(`${method} ${url} fails`, this.#retries, async () => {
      const answer = await this.#send(method, url, body);
      if (expected.includes(answer.status)) return answer;
      const why = describe(answer);
      // What is refused will be again.
      if (!mayPass(answer.status, answer.text))
        throw new GatewayError('FAILED_PRECONDITION', `${method} ${url} is refused: ${why}.`);
      throw new Error(why);
    });
  }

  async #sign(method: string, address: string, sha256: string) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#settings;
    const { url, headers } = await new AwsV4Signer({
      ...{ method, url: address, region, service: 's3', headers: { 'x-amz-content-sha256': sha256 } },
      ...{ accessKeyId: accessKeyId as string, secretAccessKey: secretAccessKey as string },
      ...(sessionToken !== null && { sessionToken }),
    }).sign();
    return { url, headers: Object.fromEntries(headers) as SentHeaders };
  }

  async #send(method: string, address: string, { sha256, bytes, open }: Body): Promise<Answer> {
    const signed = await this.#sign(method, address, sha256);
    const headers = { ...signed.headers, 'content-length': `${bytes}` };
    const send = signed.url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(signed.url, { method, headers, signal: this.#retries.signal, timeout: SILENCE_MS });
    request.on('timeout', () =>
      request.destroy(new Error(`nothing was heard for ${SILENCE_MS / 1000} seconds`)),
    );
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    // A store may answer before it has all: what it says then tells more than that it took no more.
    const sent = pipeline(open(), request).catch(() => undefined);
    const response = await answered;
    const text = await readAll(response);
    const status = response.statusCode ?? 0;
    // What is refused may never be read to its end, and behind the answer Node waits for that without a limit.
    if (status >= 300 && !request.writableFinished) request.destroy();
    await sent;
    return { status, text };
  }
}

/** Where a bucket is; `endpoint` is null for Amazon's, whose certificates hold for names before `.s3` that have no dot. */
function bucketAddress(bucket: string, endpoint: string | null, region: string): string {
  if (endpoint !== null) return `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const store = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${store}/${bucket}` : `https://${bucket}.${store}`;
}

type SentHeaders = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let count = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    count += chunk.length;
    if (count > MOST_TEXT_BYTES)
      throw new GatewayError(
        'INVALID_ARGUMENT',
        `The store answers with more than ${MOST_TEXT_BYTES} bytes.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What a store says of an error, in XML. */
function describe({ status, text }: Answer): string {
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const [, message] = /<Message>([^<]{1,500})<\/Message>/.exec(text) ?? [];
  return [`the store answers ${status}`, code, message].filter((part) => part !== undefined).join(', ');
}
