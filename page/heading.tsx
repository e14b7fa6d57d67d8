import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Copy } from './copy.tsx';

/** What a page is of: its kind, its name, and the whole identifier to copy. */
export function Heading({ kind, name, id, children }: HeadingProps) {
  useEffect(() => {
    document.title = `${name} · Periscope`;
    return () => {
      document.title = 'Periscope';
    };
  }, [name]);
  return (
    <div class="heading">
      <span class="quiet">{kind}</span>
      <h2>{name}</h2>
      {children}
      {id !== undefined && id !== name && <Copy text={id} />}
    </div>
  );
}

interface HeadingProps {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly children?: ComponentChildren;
}
