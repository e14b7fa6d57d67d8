import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findProgram, type RunningProxy, startProxy } from './proxy.ts';

/** The program, where this machine has it. */
export const NGINX = findProgram('nginx');

/** What a test sets within `http`: servers that listen on a port and pass requests on to a gateway. */
export type ConfigureServers = (port: number, gateway: string, folder: string) => string | Promise<string>;

/** Nothing set but where to pass requests on to. */
const asItComes: ConfigureServers = (port, gateway) =>
  `server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${gateway}; }
  }`;

/** An nginx of the test's own in front of a gateway. */
export function startNginx(gateway: string, configureServers = asItComes): Promise<RunningProxy> {
  return startProxy({
    path: NGINX,
    args: (folder, file) => ['-p', folder, '-c', file, '-e', 'stderr'],
    configure: async (port, folder) => configure(folder, await configureServers(port, gateway, folder)),
  });
}

/** One process in the foreground, which needs no other user's rights and leaves no other behind. */
function configure(folder: string, servers: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${servers}
}
`;
}

/** Who may ask the servers of SECURITY.md. */
export const PASSWORD = { Authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` };

/** The servers that SECURITY.md shows, but for the names of this test, and TLS, which needs a certificate. */
export async function configureAuthentication(
  port: number,
  gateway: string,
  folder: string,
): Promise<string> {
  const [, shown = ''] =
    /<!-- nginx -->\n```nginx\n(.*?)\n```/s.exec(readFileSync('SECURITY.md', 'utf8')) ?? [];
  await writeFile(join(folder, 'htpasswd'), 'ann:{PLAIN}secret\n');
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/ +ssl_certificate.*\n/g, ''],
    ['/etc/nginx/periscope.htpasswd', join(folder, 'htpasswd')],
    ['http://127.0.0.1:3008', gateway],
  ];
  return changes.reduce((text, [what, by]) => {
    expect(text).toMatch(what);
    return text.replace(what, by);
  }, shown);
}
