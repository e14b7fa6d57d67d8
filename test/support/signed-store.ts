import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The key that it knows. */
export const KEY = { accessKeyId: 'AKIDPERISCOPE', secretAccessKey: 'secret/of+the=test' } as const;

/** An object store of one bucket, as far as an export needs one: it takes what is signed by its key (Signature Version 4), and nothing else. */
export interface SignedStore extends AsyncDisposable {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** What was refused, and why. */
  readonly refused: readonly string[];
  /** Answers so many of the next requests with an error that passes, or cuts them when they have begun. One that is `deaf` answers, and reads no more. */
  fail(times: number, how: Failure): void;
}

/** The last two are of an upload that stalled. */
const PASSING = {
  busy: [503, 'SlowDown'],
  stalled: [400, 'RequestTimeout'],
  'stalled elsewhere': [408, 'RequestTimeout'],
} as const;

type Failure = keyof typeof PASSING | 'cut' | 'deaf';

export async function startSignedStore(region = 'us-east-1'): Promise<SignedStore> {
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  let failing: { times: number; how: Failure } = { times: 0, how: 'cut' };
  const server = createServer(async (request, response) => {
    if (failing.times > 0) {
      failing = { ...failing, times: failing.times - 1 };
      if (failing.how === 'cut') return void request.socket.destroy();
      // Behind the back of Node's server, which would read what is left.
      if (failing.how === 'deaf')
        return void request.socket.write('HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n');
      request.resume();
      const [status, code] = PASSING[failing.how];
      return void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    }
    const body = await readBody(request);
    const fault = faultOf(request, body, region);
    const key = (request.url ?? '').slice(1);
    if (fault !== null) {
      refused.push(fault);
      const text = `<Error><Code>SignatureDoesNotMatch</Code><Message>${fault}</Message></Error>`;
      return void response.writeHead(403).end(text);
    }
    if (request.method === 'PUT') {
      objects.set(key, body);
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (found === undefined) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    else response.writeHead(200).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refused,
    fail: (times, how) => {
      failing = { times, how };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What is wrong with a request's signature or body, by the rules of Signature Version 4; null where nothing is. */
function faultOf(
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
  region: string,
): string | null {
  const given = headers.authorization ?? '';
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      given,
    );
  if (found === null) return `there is no signature in "${given}"`;
  const [, id = '', day = '', where = '', names = '', signature = ''] = found;
  if (id !== KEY.accessKeyId) return `nobody knows the key ${id}`;
  if (where !== region) return `the region is ${where}`;
  const hash = `${headers['x-amz-content-sha256']}`;
  if (hash !== sha256(body)) return `the body is not what ${hash} says`;
  if (method === 'PUT' && headers['content-length'] === undefined)
    return 'the length of the body is not said';
  const signed = names.split(';');
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!signed.includes(name)) return `${name} is not signed`;
  const lines = signed.map((name) => `${name}:${`${headers[name]}`.trim()}\n`).join('');
  const canonical = [method, url, '', lines, names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${KEY.secretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return signature === expected ? null : 'the signature is another';
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
