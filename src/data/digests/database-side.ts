import { GatewayError } from '../../errors.ts';
import type { Block } from '../generated/prisma/client.ts';
import { createPasts } from '../history/past-statements.ts';
import { findBlock, findFirstKnownBlock, findLastBlockWithin, findLatestBlock } from '../queries/blocks.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import type { DigestedBlock, Side } from './comparison.ts';
import { digestedNouns, writeLine } from './digested.ts';
import { recomputeBlocks } from './recomputed-blocks.ts';
import { readStateDigest, readStatePages, refuseDropped, stateNouns } from './state-digests.ts';

/** A database as one of two that are compared. */
export function sideOf(name: string, statements: Statements): Side {
  const blockAt = async (height: bigint): Promise<Block> => {
    const block = await findBlock(statements, height);
    if (block !== null) return block;
    throw new GatewayError('OUT_OF_RANGE', `There is no block at height ${height}.`);
  };
  const pastAt = async (height: bigint) => {
    const block = await blockAt(height);
    const first = await findFirstKnownBlock(
      statements,
      stateNouns.map(({ kind }) => kind),
    );
    if (first === null || block.lastPosition < first.lastPosition) {
      const from = first === null ? '' : `: all of it is known from block ${first.height} on`;
      throw new GatewayError('OUT_OF_RANGE', `What was at block ${height} is forgotten${from}.`);
    }
    return createPasts(statements)(block.lastPosition);
  };
  const digestFrom = async (height: bigint) => {
    const [found] = await statements.rows<DigestedBlock>(
      unkept(
        sql`SELECT height, digest FROM blocks WHERE height >= ${height}::bigint AND digest IS NOT NULL ORDER BY height LIMIT 1`,
      ),
    );
    return found ?? null;
  };
  return {
    name,
    async heights() {
      const [first] = await statements.rows<{ height: bigint }>(
        unkept(sql`SELECT height FROM blocks ORDER BY height LIMIT 1`),
      );
      const newest = await findLatestBlock(statements);
      return first === undefined || newest === null ? null : { first: first.height, newest: newest.height };
    },
    firstDigested: async () => (await digestFrom(0n))?.height ?? null,
    digestFrom,
    digestAt: async (height) => (await findBlock(statements, height))?.digest ?? null,
    async stateAt(height) {
      const state = await readStateDigest(await pastAt(height));
      // What was forgotten while it was read was left out.
      await pastAt(height);
      return state;
    },
    rows: {
      firstLacking: (upTo) => findFirstLacking(statements, upTo),
      async changesOf(height) {
        const block = await blockAt(height);
        const before = await findLastBlockWithin(statements, -1n, block.lastPosition - 1n);
        const lines: string[] = [];
        for await (const { changes } of recomputeBlocks(statements, [block], before?.lastPosition ?? -1n)) {
          for (const { name: noun, kind, fields } of digestedNouns)
            for (const row of changes[noun] ?? []) lines.push(writeLine(kind, fields, row));
        }
        return lines;
      },
      async *pagesOf(noun, height) {
        const found = stateNouns.find(({ kind }) => kind === noun);
        if (found === undefined) return;
        const lookAgain = async () => refuseDropped(await pastAt(height));
        for await (const page of readStatePages(await pastAt(height), found)) {
          await lookAgain();
          yield page;
        }
        await lookAgain();
      },
    },
  };
}

async function findFirstLacking(statements: Statements, upTo: bigint): Promise<bigint | null> {
  const [found] = await statements.rows<{ height: bigint }>(
    unkept(
      sql`SELECT height + 1 AS height FROM (
        SELECT height, lead(height) OVER (ORDER BY height) AS next FROM blocks WHERE height <= ${upTo}::bigint
      ) AS block WHERE next > height + 1 ORDER BY height LIMIT 1`,
    ),
  );
  return found?.height ?? null;
}
