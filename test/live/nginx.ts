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
