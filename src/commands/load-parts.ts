/**
 * Loads what commands do with parts, in one piece, when it is asked for. It stands in a function of its own: within one that has
 * `using`, TypeScript 6 would leave the path as it is.
 */
export async function loadParts() {
  const { exportParts, ingestBase, openSource } = await import('../data/parts/parts.ts');
  return { exportParts, ingestBase, openSource };
}
