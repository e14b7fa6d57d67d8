import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { ask } from '../support/state.ts';

/** A role of the test's own, which is dropped with it; its databases have to go first. */
export interface TestRole extends AsyncDisposable {
  readonly name: string;
  /** The name as SQL takes it. */
  readonly quoted: string;
  /** The address of a database for it, also where the server asks for a password. */
  loginTo(url: string): Promise<string>;
}

/** Makes a role with such rights as `LOGIN`; only gives it a name where there are none. */
export async function createRole(rights: string | null, like = ''): Promise<TestRole> {
  const server = inject('serverUrl');
  const name = `${inject('databasePrefix')}${randomUUID().slice(0, 8)}${like}`;
  const quoted = pg.escapeIdentifier(name);
  if (rights !== null) await ask(server, `CREATE ROLE ${quoted} ${rights}`);
  return {
    name,
    quoted,
    async loginTo(url) {
      const password = randomUUID();
      await ask(server, `ALTER ROLE ${quoted} PASSWORD '${password}'`);
      return Object.assign(new URL(url), { username: encodeURIComponent(name), password }).href;
    },
    [Symbol.asyncDispose]: async () => {
      await ask(server, `DROP ROLE IF EXISTS ${quoted}`);
    },
  };
}
