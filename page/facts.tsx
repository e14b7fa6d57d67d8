import type { ComponentChildren } from 'preact';

/** A fact: what it is called and what it is; nothing where the network says nothing. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** What something is, by name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
