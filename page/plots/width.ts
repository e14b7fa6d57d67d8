import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** How many pixels wide an element is, as it changes; 0 until it is known. */
export function useWidth<Box extends HTMLElement>(): readonly [RefObject<Box | null>, Signal<number>] {
  const box = useRef<Box>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry?.contentRect.width ?? 0);
    });
    width.value = Math.floor(box.current.clientWidth);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
