import { Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { HANG_MS } from '../../test/support/limits.ts';
import { type Answer, findFault, isPage, isStream } from './answers.ts';
import type { Finding } from './campaign.ts';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An HTTP client that keeps its connections, and leaves a stream after its first part. */
export class HttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends it, and looks for a fault of any answer, and then of its own sort. To HEAD there is nothing to look into. */
  async send(request: HttpRequest, findOwnFault: (answer: Answer) => string | null): Promise<Finding> {
    const answer = await this.#answerTo(request).catch((error: Error) => error);
    if (answer instanceof Error) return { came: ['none'], fault: `no answer: ${answer.message}` };
    const isHead = request.method === 'HEAD';
    const fault = isHead ? null : (findFault(answer) ?? findOwnFault(answer));
    return { came: [String(answer.status)], fault };
  }

  /**
   * Rejects where there is no answer. A client that a busy machine keeps from asking on the connection that it has made
   * is told that it is late (408), which after HEAD is no answer: its method was not read. It asks once more.
   */
  async #answerTo(request: HttpRequest): Promise<Answer> {
    const answer = await this.#send(request).catch((error: ParseError) => error);
    const isLate =
      answer instanceof Error
        ? answer.rawPacket?.toString('latin1').startsWith('HTTP/1.1 408 ')
        : answer.status === 408;
    if (isLate) return this.#send(request);
    if (answer instanceof Error) throw withBytes(answer);
    return answer;
  }

  #send({ method, path, headers, body }: HttpRequest): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const { hostname, port } = this.#url;
      const request = httpRequest(
        { agent: this.#agent, hostname, port, method, path, headers },
        (response) => {
          const chunks: Buffer[] = [];
          const { statusCode: status = 0, headers } = response;
          const finish = () => resolve({ status, headers, body: unpack(Buffer.concat(chunks), headers) });
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (!isStream({ status, headers })) return;
            finish();
            response.destroy();
          });
          response.once('end', finish);
          response.once('error', reject);
        },
      );
      // For all of it: what shows now and then that it is alive ends, too.
      const limit = setTimeout(() => request.destroy(new Error(`no end after ${HANG_MS} ms`)), HANG_MS);
      request.once('close', () => clearTimeout(limit));
      request.once('error', reject);
      request.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** What Node says of an answer that it cannot read, with the bytes. */
type ParseError = Error & { readonly rawPacket?: Buffer };

const SHOWN = 200;

/** What could not be read tells more than that it could not. */
function withBytes(error: ParseError): Error {
  if (error.rawPacket === undefined) return error;
  return new Error(`${error.message}: ${JSON.stringify(error.rawPacket.toString('latin1', 0, SHOWN))}`);
}

/** As far as it has come, where that is not the end of it. Nobody looks into GraphiQL's page, of megabytes. */
function unpack(bytes: Buffer, headers: Answer['headers']): string {
  if (bytes.length === 0 || isPage(headers)) return '';
  if (headers['content-encoding'] === 'gzip')
    return String(gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  if (headers['content-encoding'] === 'br')
    return String(brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }));
  return String(bytes);
}
