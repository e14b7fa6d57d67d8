/** The servers of a log, of which any will do. */
export interface LogServers {
  /** Each as `host:port`. */
  readonly hosts: readonly string[];
  readonly isEncrypted: boolean;
  /** What it is called in the log and in errors, without a password. */
  readonly name: string;
  readonly user: string | null;
  readonly password: string | null;
}

const DEFAULT_PORT = 4222;
const ADDRESS = /^(nats|tls):\/\/(?:([^@/:]+)(?::([^@/]*))?@)?([^@/]+)\/?$/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

/** Whether a text is meant as the address of a log. */
export function namesLog(text: string): boolean {
  return /^(nats|tls):/.test(text);
}

/** Reads `nats://host:port[,host:port]`. Throws a RangeError that says what is accepted. */
export function readLogServers(text: string): LogServers {
  const [, scheme, user = null, password = null, list = ''] = ADDRESS.exec(text) ?? [];
  const hosts = list.split(',').map(readHost);
  if (scheme === undefined || !hosts.every((host) => host !== null)) {
    throw new RangeError(
      'It takes the addresses of NATS servers such as nats://127.0.0.1:4222 or tls://user:password@one:4222,two:4222.',
    );
  }
  return {
    hosts,
    isEncrypted: scheme === 'tls',
    name: `${scheme}://${hosts.join(',')}`,
    user: user && decodeURIComponent(user),
    password: password && decodeURIComponent(password),
  };
}

function readHost(text: string): string | null {
  const [, host, digits] = HOST.exec(text) ?? [];
  const port = Number(digits ?? DEFAULT_PORT);
  return host === undefined || port < 1 || port > 65535 ? null : `${host}:${port}`;
}
