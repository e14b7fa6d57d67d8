import type { Block, PrismaClient } from './generated/prisma/client.ts';

/** The newest block that is wholly applied; null before the first. */
export function findLatestBlock(prisma: PrismaClient): Promise<Block | null> {
  return prisma.block.findFirst({ orderBy: { height: 'desc' } });
}

/** The block of a height; null where none is kept. */
export function findBlock(prisma: PrismaClient, height: bigint): Promise<Block | null> {
  return prisma.block.findUnique({ where: { height } });
}

/** The blocks that end after a position, in order: at most `limit`, the first ones. */
export function readBlocksAfter(prisma: PrismaClient, position: bigint, limit: number): Promise<Block[]> {
  return prisma.block.findMany({
    where: { lastPosition: { gt: position } },
    orderBy: { lastPosition: 'asc' },
    take: limit,
  });
}

/** The blocks of these heights, by height. */
export async function findBlocks(
  prisma: PrismaClient,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, Block>> {
  const blocks = await prisma.block.findMany({ where: { height: { in: [...heights] } } });
  return new Map(blocks.map((block) => [block.height, block]));
}

/** From which position on the history of changes is complete. */
export async function findHistoryStart(prisma: PrismaClient): Promise<bigint> {
  const network = await prisma.network.findFirst();
  return network?.historyFrom ?? 0n;
}
