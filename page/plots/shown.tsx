import type { ComponentChildren } from 'preact';
import type { Asked } from '../asked.ts';
import { QueryLink } from '../query-link.tsx';

/** What was answered, drawn; before the first answer that it is waited for, and beside the last one why there is no newer. */
export function Shown<Data>({ asked, what, isBehind = false, children }: ShownProps<Data>) {
  const { data, error } = asked;
  return (
    <>
      {error && (
        <p class="problem" role="alert">
          {error.message}
          {data && ' What is shown is of before.'}
        </p>
      )}
      {data === null ? error === null && <Nothing>Waiting for the {what}…</Nothing> : children(data)}
      {!isBehind && (
        <p class="foot">
          <QueryLink of={asked} title={what} />
        </p>
      )}
    </>
  );
}

interface ShownProps<Data> {
  readonly asked: Asked<Data>;
  /** What is waited for, in the plural. */
  readonly what: string;
  /** Whether another question is made of the answer: it has the link then. */
  readonly isBehind?: boolean;
  children(data: Data): ComponentChildren;
}

/** Stands where a plot would, and is as high. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="no-plot quiet">{children}</p>;
}
