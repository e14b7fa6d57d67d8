import { nkeys } from '@nats-io/transport-node';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Servers that know clients by signed credentials, as an operator of NATS makes them: what their settings have for that, and the
 * file of credentials of one client whose account may use JetStream.
 */
export function makeNatsAccounts(): { readonly settings: string; readonly credentials: string } {
  const operator = nkeys.createOperator();
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()];
  const user = nkeys.createUser();
  const signedByOperator = [account, system].map((one) => ({
    key: one.getPublicKey(),
    token: sign(operator, one, { type: 'account', limits: one === account ? ALL : SYSTEM }),
  }));
  const settings = `
    operator: ${sign(operator, operator, { type: 'operator' })}
    system_account: ${system.getPublicKey()}
    resolver: MEMORY
    resolver_preload: { ${signedByOperator.map(({ key, token }) => `${key}: ${token}`).join(', ')} }`;
  const token = sign(account, user, { type: 'user', pub: {}, sub: {}, subs: -1, data: -1, payload: -1 });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    settings,
    credentials: `-----BEGIN NATS USER JWT-----
${token}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
  };
}

const SYSTEM = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
};
const ALL = { ...SYSTEM, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** A token by which one key vouches for another, in the form of NATS: a JWT whose signature is one of nkeys. */
function sign(signer: nkeys.KeyPair, subject: nkeys.KeyPair, claims: Claims): string {
  const [iss, sub] = [signer.getPublicKey(), subject.getPublicKey()];
  const body = { jti: sub, iat: Math.floor(Date.now() / 1000), iss, sub, name: sub };
  const head = { typ: 'JWT', alg: 'ed25519-nkey' };
  const text = [head, { ...body, nats: { ...claims, version: 2 } }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${Buffer.from(signer.sign(Buffer.from(text))).toString('base64url')}`;
}
