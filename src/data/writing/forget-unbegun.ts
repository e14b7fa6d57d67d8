import type { ClientBase } from 'pg';

/** Forgets a network that named itself and then sent no block: it has left nothing to keep. For who writes to the database alone. */
export async function forgetUnbegun(client: ClientBase): Promise<void> {
  await client.query('DELETE FROM networks WHERE NOT EXISTS (SELECT FROM blocks)');
}
