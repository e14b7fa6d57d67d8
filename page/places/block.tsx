import type { ResultOf } from 'gql.tada';
import { OF_NEWEST, useAsked } from '../asked.ts';
import { Copy } from '../copy.tsx';
import { write } from '../decimals.ts';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link } from '../link.tsx';
import { Panel } from '../panel.tsx';
import { showAt } from '../place.ts';
import { Found } from '../state.tsx';
import { Time } from '../values.tsx';
import { BlockChanges } from './block-changes.tsx';

/** It asks as of the block itself, whatever block is shown: what a block did is the same ever after. */
const BlockPage = graphql(`
  query BlockPage($height: Uint64!, $before: Uint64!, $after: Uint64!) {
    asOf(height: $height) {
      block { height timestamp hash }
      blocks(first: 1, toHeight: $before) { edges { node { height cursor } } }
    }
    blocks(first: 1, newestFirst: false, fromHeight: $after) { edges { node { height } } }
  }
`);

type Edge = ResultOf<typeof BlockPage>['blocks']['edges'][number];

/** A block: when it was, and what it changed. */
export function BlockPlace({ id }: { readonly id: string }) {
  if (!/^\d{1,18}$/.test(id)) {
    return (
      <p role="alert" class="state-note">
        A block has a height, a number, which “{id}” is not.
      </p>
    );
  }
  return <OfHeight height={id} />;
}

function OfHeight({ height }: { readonly height: string }) {
  const around = {
    before: `${BigInt(height) === 0n ? 0n : BigInt(height) - 1n}`,
    after: `${BigInt(height) + 1n}`,
  };
  // With the block behind it all is told of it.
  const isFinal = ({ blocks }: ResultOf<typeof BlockPage>) => blocks.edges.length > 0;
  const asked = useAsked(BlockPage, { height, ...around }, isFinal, OF_NEWEST).value;
  // There is none before block 0, which is asked for in its place.
  const before = asked.data?.asOf?.blocks.edges.find(({ node }) => BigInt(node.height) < BigInt(height));
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.block} what="block">
      {(block) => (
        <>
          <Heading kind="Block" name={`Block ${write(block.height).whole}`}>
            <Neighbours before={before} after={asked.data?.blocks.edges[0]} />
          </Heading>
          <Panel id="block" title="Block" asked={asked}>
            <Facts
              facts={[
                ['Height', block.height],
                ['Time', <Time of={block.timestamp} />],
                ['Hash', block.hash && <Copy text={block.hash} />],
              ]}
            />
            <button type="button" class="as-link" onClick={() => showAt(block.height)}>
              Show everything as of this block
            </button>
          </Panel>
          {/* The newest block may go on under another hash: then it changed more than what was told. */}
          <BlockChanges key={block.hash} height={height} after={before?.node.cursor ?? null} />
        </>
      )}
    </Found>
  );
}

function Neighbours({ before, after }: Readonly<Record<'before' | 'after', Edge | undefined>>) {
  return (
    <nav class="links" aria-label="Other blocks">
      {before && (
        <Link kind="block" id={before.node.height}>
          ← {before.node.height}
        </Link>
      )}
      {after && (
        <Link kind="block" id={after.node.height}>
          {after.node.height} →
        </Link>
      )}
    </nav>
  );
}
