/** One HTTP request as a case says it. */
export interface BenchRequest {
  readonly path: string;
  /** Sent as JSON by POST. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that it must have; 200 unless said. */
  readonly status?: number;
}

export function get(path: string, headers: Readonly<Record<string, string>> = {}): BenchRequest {
  return { path, headers };
}

export function graphql(query: string, variables: Readonly<Record<string, unknown>>): BenchRequest {
  return { path: '/graphql', body: { query, variables } };
}

/** The request's bytes on the wire. */
export function encodeRequest({ path, body, headers = {} }: BenchRequest, host: string): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : [
          'Content-Type: application/json',
          'Accept: application/json',
          `Content-Length: ${Buffer.byteLength(text)}`,
        ]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** Sends one request and gives its answer whole. */
export async function send(
  url: string,
  { path, body, headers = {}, status = 200 }: BenchRequest,
): Promise<{ readonly text: string; readonly headers: Headers }> {
  const response = await fetch(`${url}${path}`, {
    signal: AbortSignal.timeout(120_000),
    ...(body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify(body),
        }),
  });
  const text = await response.text();
  if (response.status !== status) {
    throw new Error(`${url}${path} answers with ${response.status}: ${text.slice(0, 500)}`);
  }
  return { text, headers: response.headers };
}
