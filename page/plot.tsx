import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Panel } from './panel.tsx';
import { SightContext, Watched } from './sight.tsx';

type Plots = typeof import('./plots.ts');

/** What draws, once it is loaded. */
const plots = signal<Plots | null>(null);

/** A plot in a panel of its own. What draws it is loaded when the first plot comes into sight. */
export function Plot(props: PlotProps) {
  return (
    <Watched>
      <WatchedPlot {...props} />
    </Watched>
  );
}

function WatchedPlot({ id, title, draw }: PlotProps) {
  const { isSeen } = useContext(SightContext);
  const isLost = useSignal(false);
  useSignalEffect(() => {
    if (isSeen.value && plots.value === null) load().catch(() => (isLost.value = true));
  });
  const there = plots.value;
  return (
    <Panel id={id} title={title} kind="plotted">
      <div class="plot-place">
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
