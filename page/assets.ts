import { signal } from '@preact/signals';
import { ask } from './connection.ts';
import { graphql } from './graphql.ts';

const Assets = graphql(`
  query Assets {
    assets(first: 500) { edges { node { id symbol } } }
  }
`);

/** The assets to choose from, by id and symbol; asked for once, when a list that is filtered by them is shown first. */
export const assetOptions = signal<readonly (readonly [id: string, symbol: string])[]>([]);

let isAsked = false;

/** Has the assets asked for. */
export function wantAssets(): void {
  if (isAsked) return;
  isAsked = true;
  ask(Assets, {})
    .then(({ assets }) => {
      assetOptions.value = assets.edges
        .map(({ node }) => [node.id, node.symbol] as const)
        .sort(([, a], [, b]) => (a < b ? -1 : 1));
    })
    .catch(() => {
      // The next list asks again.
      isAsked = false;
    });
}
