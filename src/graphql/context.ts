import type { PrismaClient } from '../data/generated/prisma/client.ts';
import { createPageLoaders, type PageLoaders } from './page-loaders.ts';

/** What every resolver is given. It lives as long as one operation, so its loaders never serve stale rows. */
export interface GatewayContext {
  readonly prisma: PrismaClient;
  readonly pages: PageLoaders;
}

export function createContext(prisma: PrismaClient): GatewayContext {
  return { prisma, pages: createPageLoaders(prisma) };
}
