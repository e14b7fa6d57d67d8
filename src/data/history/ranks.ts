import type { ClientBase } from 'pg';
import { inTransaction } from '../servers/transaction.ts';

/*
 * What accounts are listed by in the order of their balances. It is made beside the writer: an account that changed a hundred
 * times since is ranked once. Whoever lists them puts in place what has changed since then (`queries/value-statements.ts`).
 */

/** Up to which position accounts are ranked, as SQL; -1 where they are not. */
export const ACCOUNTS_RANKED_TO = `coalesce((SELECT up_to_position FROM rank_levels WHERE noun = 'accounts'), -1)`;

/** Ranks the accounts that changed since they were last ranked; all of them where it is not known which these are. */
export async function rankAccounts(client: ClientBase): Promise<void> {
  await inTransaction(client, async () => {
    // A writer that came later may have a keeper already: one of them ranks at a time.
    await client.query(`INSERT INTO rank_levels VALUES ('accounts', -1) ON CONFLICT DO NOTHING`);
    const { rows } = await client.query<{ position: string; isKnown: boolean }>(`
      SELECT up_to_position AS position, up_to_position >= (SELECT archived_to FROM networks) AS "isKnown"
      FROM rank_levels WHERE noun = 'accounts' FOR UPDATE`);
    const [{ position, isKnown } = { position: '-1', isKnown: false }] = rows;
    await (isKnown ? client.query(RANK_CHANGED, [position]) : client.query(rank('accounts')));
  });
}

/** One statement, so that balances are of the position that is noted. */
function rank(accounts: string): string {
  return `
    WITH ranked AS (
      INSERT INTO account_ranks AS held (account_position, asset_id, type, balance)
      SELECT created_position, asset_id, type, balance::numeric FROM ${accounts} AS accounts
      ON CONFLICT (account_position) DO UPDATE SET balance = EXCLUDED.balance WHERE held.balance <> EXCLUDED.balance
    )
    UPDATE rank_levels SET up_to_position = coalesce((SELECT max(last_position) FROM blocks), -1)
    WHERE noun = 'accounts'`;
}

const RANK_CHANGED = rank(`(
  SELECT accounts.* FROM (
    SELECT DISTINCT account_position FROM balance_changes WHERE position > $1::bigint
  ) AS changed JOIN accounts ON accounts.created_position = changed.account_position
)`);
