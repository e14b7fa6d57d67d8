/** How many events a block can hold: the room for indexes below each height. */
const EVENTS_PER_BLOCK = 2 ** 20;
/** The greatest height whose positions all stay below 2^53, where numbers are exact. */
const MAX_HEIGHT = 2 ** 33 - 1;

/**
 * The position of an event: `height * 2^20 + index in the block`. Strictly increasing across the network's
 * life; order of every list, cursor, row version, resume token and cache clock at once (design, section 2).
 * Throws a RangeError when the height or the index does not fit.
 */
export function positionOf(height: number, index: number): bigint {
  if (!Number.isInteger(height) || height < 0 || height > MAX_HEIGHT) {
    throw new RangeError(`block height ${height} is not within 0..${MAX_HEIGHT}`);
  }
  if (!Number.isInteger(index) || index < 0 || index >= EVENTS_PER_BLOCK) {
    throw new RangeError(`event index ${index} in block ${height} is not within 0..${EVENTS_PER_BLOCK - 1}`);
  }
  return BigInt(height * EVENTS_PER_BLOCK + index);
}

/** Gives the position of an event; null where the height or the index does not fit, for a source of events to say where. */
export function positionWithin(height: number, index: number): bigint | null {
  try {
    return positionOf(height, index);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The height of the block that holds a position. */
export function heightOf(position: bigint): bigint {
  return position / BigInt(EVENTS_PER_BLOCK);
}

/** The first and the last position that a block of a height can have. */
export function positionsOf(height: bigint): { readonly first: bigint; readonly last: bigint } {
  const first = height * BigInt(EVENTS_PER_BLOCK);
  return { first, last: first + BigInt(EVENTS_PER_BLOCK) - 1n };
}
