import { groupBy } from '../../domain/groups.ts';
import { columnOf } from '../columns.ts';
import { dependsOnRows } from '../noun-tags.ts';
import { votes } from '../nouns/votes.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** The votes for one choice: what is told of each, added up, as PostgreSQL's text of it. */
export interface VoteTally {
  readonly value: number;
  readonly votes: number;
  readonly tokens: string;
  readonly weight: string;
  readonly equityLikeShareWeight: string;
}

/** Adds up the votes on proposals, by their choices, in one statement; one without votes is not in it. */
export async function readTallies(
  statements: Statements,
  proposalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly VoteTally[]>> {
  // Older versions took in fractions of tokens.
  const sum = (field: string, how = 'trim_scale') => raw(`${how}(sum(t.${columnOf(field)}::numeric))::text`);
  const tallies = sql`
    SELECT t.proposal_id AS "proposalId", t.value, count(*)::integer AS votes,
      ${sum('totalGovernanceTokenBalance', 'trunc')} AS tokens, ${sum('totalGovernanceTokenWeight')} AS weight,
      ${sum('totalEquityLikeShareWeight')} AS "equityLikeShareWeight"
    FROM ${votes.table.name} AS t WHERE t.proposal_id = ANY (${[...proposalIds]}::text[]) GROUP BY 1, 2`;
  const dependsOn = dependsOnRows(votes, 'proposalId', proposalIds);
  const rows = await statements.rows<VoteTally & { readonly proposalId: string }>(
    statementOf(tallies, dependsOn),
  );
  return groupBy(rows, ({ proposalId }) => proposalId);
}
