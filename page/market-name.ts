import { computed } from '@preact/signals';
import { shorten } from './link.tsx';
import { markets } from './network.ts';

/** The codes that several markets have. */
const sharedCodes = computed<ReadonlySet<string>>(() => {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { marketNode } of markets.value.values()) {
    const code = marketNode?.instrumentCode;
    if (code) (seen.has(code) ? shared : seen).add(code);
  }
  return shared;
});

/** Whether other markets have the code of one, so that its id alone tells it apart. */
export function isShared(code: string | undefined): boolean {
  return code !== undefined && sharedCodes.value.has(code);
}

/** A market by its code, or its id where it has none; by both where others have that code, too. */
export function nameOfMarket(id: string, code: string | undefined): string {
  if (!code) return shorten(id);
  return isShared(code) ? `${code} ${shorten(id)}` : code;
}
