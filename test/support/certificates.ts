import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../live/proxy.ts';
import { HANG_MS } from './limits.ts';

/** Makes certificates; undefined where this machine does not have it, which is said once. */
export const OPENSSL = findProgram('openssl');
if (OPENSSL === undefined) console.warn('Not there: openssl. The tests of certificates are skipped.');

/** The files of an authority of the test's own, and of a server of this machine that it vouches for. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export async function makeCertificates(folder: string): Promise<Certificates> {
  const path = (name: string) => join(folder, name);
  const run = (...args: readonly string[]) =>
    promisify(execFile)(OPENSSL as string, ['req', '-x509', ...NEW_KEY, ...args], { timeout: HANG_MS });
  const authority = { key: path('authority.key'), file: path('authority.pem') };
  const server = { key: path('server.key'), file: path('server.pem') };
  await run('-keyout', authority.key, '-out', authority.file, '-subj', '/CN=test authority');
  await run(
    ...['-keyout', server.key, '-out', server.file, '-subj', '/CN=localhost'],
    ...['-CA', authority.file, '-CAkey', authority.key],
    ...[
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ],
  );
  return { authority: authority.file, certificate: server.file, key: server.key };
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
