import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Asked } from './asked.ts';
import { QueryLink } from './query-link.tsx';
import { SightContext } from './sight.tsx';

/** A part of a page under a heading, with what can be done with it beside. */
export function Panel({ id, title, asked, tools, kind, children }: PanelProps) {
  const { place } = useContext(SightContext);
  return (
    <section aria-labelledby={id} class={kind} ref={place}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        <div class="tools">
          {tools}
          {asked && <QueryLink of={asked} title={title} />}
        </div>
      </div>
      {children}
    </section>
  );
}

interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** What is shown was asked so. */
  readonly asked?: Pick<Asked<unknown>, 'operation' | 'variables'>;
  readonly tools?: ComponentChildren;
  readonly kind?: string;
  readonly children: ComponentChildren;
}
