import { marketTools } from './market-tools.ts';
import { networkTools } from './network-tools.ts';
import { partyTools } from './party-tools.ts';
import type { Tool } from './tool.ts';

/** All that programs of models may ask; nobody of them writes an operation. */
export const tools: readonly Tool[] = [...networkTools, ...marketTools, ...partyTools];
