import { findFreePort, findProgram, type RunningProxy, startProxy } from '../../test/live/proxy.ts';

/** The program, where this machine has it. */
export const HAPROXY = findProgram('haproxy');

/**
 * The part of HAProxy's settings that passes connections on to the server which is the primary: asked in PostgreSQL's own
 * protocol, as there is no Patroni to ask. It takes no password.
 */
export function passOnToPrimary(port: number, servers: readonly { readonly port: number }[]): string {
  const startup = Buffer.from('\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
  startup.writeInt32BE(startup.length);
  const query = Buffer.from('Q\0\0\0\0SELECT pg_is_in_recovery()\0', 'latin1');
  query.writeInt32BE(query.length - 1, 1);
  const listed = servers.map(
    (server, index) => `  server postgres${index} 127.0.0.1:${server.port} check inter 200ms rise 1 fall 1`,
  );
  return `listen primary
  mode tcp
  bind 127.0.0.1:${port}
  timeout client 1h
  timeout server 1h
  timeout check 500ms
  default-server on-marked-down shutdown-sessions
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startup.toString('hex')}
  tcp-check expect binary 5a0000000549
  tcp-check send-binary ${query.toString('hex')}
  tcp-check expect binary 440000000b00010000000166
${listed.join('\n')}
`;
}

/** What stands at the beginning of HAProxy's settings. */
export const DEFAULTS =
  'global\n  maxconn 4000\ndefaults\n  timeout connect 1s\n  timeout check 1s\n  timeout client 1h\n  timeout server 1h\n';

/**
 * The front of gateways that are ready: a request is passed on again to another where one was not reached. Each answer names the
 * gateway that it is of, and `/health/live` is the proxy's own, as nobody may be behind it yet.
 */
export function frontOfGateways(port: number, gateways: readonly string[]): string {
  const listed = gateways.map(
    (url, index) => `  server gateway${index} ${new URL(url).host} check inter 500ms rise 1 fall 5`,
  );
  return `frontend front
  mode http
  bind 127.0.0.1:${port}
  http-request return status 200 if { path /health/live }
  use_backend gateways
backend gateways
  mode http
  # A request that is not the first of its connection has that closed where its gateway dies, and nobody is told which one that was.
  option httpclose
  timeout server 1h
  timeout tunnel 1h
  timeout check 5s
  option abortonclose
  option redispatch 1
  retries 5
  retry-on conn-failure
  balance roundrobin
  option httpchk GET /health/ready
${listed.join('\n')}
  http-after-response set-header X-Gateway %s
`;
}

/** HAProxy in front of a primary, whichever of the servers that is; `urlOf` is its address for a user. */
export async function startPrimaryProxy(
  servers: readonly { readonly port: number }[],
): Promise<RunningProxy & { readonly urlOf: (user: string) => string }> {
  const primaryPort = await findFreePort();
  const proxy = await startProxy({
    path: HAPROXY,
    args: (_folder, file) => ['-db', '-f', file],
    configure: (port) =>
      `${DEFAULTS}frontend health
  mode http
  bind 127.0.0.1:${port}
  http-request return status 200
${passOnToPrimary(primaryPort, servers)}`,
  });
  return {
    ...proxy,
    urlOf: (user) => `postgres://${user}@127.0.0.1:${primaryPort}/periscope?sslmode=disable`,
  };
}
