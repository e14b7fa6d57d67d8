import type { ComponentChildren } from 'preact';
import { hrefOf, type Kind } from './place.ts';

/** A link to the page of something: its name, or its id in short with the whole of it in a tooltip. */
export function Link({ kind, id, children }: LinkProps) {
  if (id === '' || id === NETWORK) return <span class="quiet">{id === '' ? 'none' : 'the network'}</span>;
  return (
    <a class={children === undefined ? 'to id' : 'to'} href={hrefOf(kind, id)} title={id}>
      {children ?? shorten(id)}
    </a>
  );
}

/** What the gateway names as the owner of what belongs to nobody: it has no page. */
const NETWORK = 'network';

interface LinkProps {
  readonly kind: Kind;
  readonly id: string;
  readonly children?: ComponentChildren;
}

/** An identifier as it is told apart from others at a glance. */
export function shorten(id: string): string {
  return id.length > 12 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id;
}
