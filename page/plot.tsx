import { signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Panel } from './panel.tsx';

type Plots = typeof import('./plots.ts');

/** What draws, once it is loaded. */
const plots = signal<Plots | null>(null);

/** A plot in a panel of its own. What draws it is loaded when the first plot comes into sight. */
export function Plot({ id, title, draw }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const isLost = useSignal(false);
  useEffect(() => {
    if (place.current === null || plots.value !== null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        load().catch(() => (isLost.value = true));
      },
      { rootMargin: '300px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const there = plots.value;
  return (
    <Panel id={id} title={title} kind="plotted">
      <div ref={place} class="plot-place">
        {there !== null && draw(there)}
        {there === null && (
          <p class="no-plot quiet">
            {isLost.value ? 'The plots could not be loaded. Load the page again.' : 'Waiting for the plot…'}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface PlotProps {
  readonly id: string;
  readonly title: string;
  readonly draw: (plots: Plots) => VNode;
}

async function load(): Promise<void> {
  plots.value ??= await import('./plots.ts');
}
