import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';

/** Whether somebody can see a part of the page. */
interface Sight {
  /** Its element, which its panel puts here. */
  readonly place: RefObject<HTMLElement | null>;
  readonly isSeen: ReadonlySignal<boolean>;
}

/** How far from the window a part is got ready for it. */
const MARGIN = '300px';

/** Whether the page is the one that its browser shows. */
const isShown = signal(true);
const look = () => {
  isShown.value = document.visibilityState === 'visible';
};
document.addEventListener('visibilitychange', look);
look();

/** What is not within `Watched` is seen while the page is. */
export const SightContext = createContext<Sight>({ place: { current: null }, isSeen: isShown });

/** Notes whether the panel within it is in the window, or near. */
export function Watched({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLElement>(null);
  const isNear = useSignal(false);
  const isSeen = useComputed(() => isNear.value && isShown.value);
  useEffect(() => {
    if (place.current === null) return;
    const note = (entries: readonly IntersectionObserverEntry[]) => {
      isNear.value = entries.at(-1)?.isIntersecting ?? false;
    };
    const observer = new IntersectionObserver(note, { rootMargin: MARGIN });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const sight = useMemo(() => ({ place, isSeen }), []);
  return <SightContext.Provider value={sight}>{children}</SightContext.Provider>;
}
