import type { Block, PrismaClient } from './generated/prisma/client.ts';

/** The newest block that is wholly applied; null before the first. */
export function findLatestBlock(prisma: PrismaClient): Promise<Block | null> {
  return prisma.block.findFirst({ orderBy: { height: 'desc' } });
}

/** The block of a height; null where none is kept. */
export function findBlock(prisma: PrismaClient, height: bigint): Promise<Block | null> {
  return prisma.block.findUnique({ where: { height } });
}
