import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { LiveRows, Snapshot } from '../rows.ts';

/** All rows as of a block. Renders after each block that changed one. */
export function useRows<Row>(live: LiveRows<Row>): Snapshot<Row> {
  const subscribe = useCallback((listener: () => void) => live.subscribe(listener), [live]);
  return useSyncExternalStore(subscribe, live.getSnapshot, live.getSnapshot);
}

/** One row. Renders after a block that changed it, and no other. */
export function useRow<Row>(live: LiveRows<Row>, id: string): Row | undefined {
  const subscribe = useCallback((listener: () => void) => live.subscribe(listener, id), [live, id]);
  const get = () => live.get(id);
  return useSyncExternalStore(subscribe, get, get);
}

/** The ids of the rows, in the order in which they came. Renders when one comes or goes: what a list of `useRow`s is made of. */
export function useIds<Row>(live: LiveRows<Row>): readonly string[] {
  const held = useRef<readonly string[]>([]);
  const subscribe = useCallback((listener: () => void) => live.subscribe(listener), [live]);
  const get = () => {
    const ids = [...live.getSnapshot().rows.keys()];
    const isSame = ids.length === held.current.length && ids.every((id, n) => id === held.current[n]);
    if (!isSame) held.current = ids;
    return held.current;
  };
  return useSyncExternalStore(subscribe, get, get);
}
