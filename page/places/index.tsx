import type { Kind } from '../place.ts';
import { AssetPlace } from './asset.tsx';
import { BlockPlace } from './block.tsx';
import { DepositPlace } from './deposit.tsx';
import { EpochPlace } from './epoch.tsx';
import { MarketPlace } from './market.tsx';
import { PartyPlace } from './party.tsx';
import { ProposalPlace } from './proposal.tsx';

const PLACES = {
  market: MarketPlace,
  party: PartyPlace,
  asset: AssetPlace,
  deposit: DepositPlace,
  proposal: ProposalPlace,
  block: BlockPlace,
  epoch: EpochPlace,
} as const;

/** The page of something. */
export function PlacePage({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const Shown = PLACES[kind];
  // Nothing of what was shown before belongs to what is shown now.
  return <Shown key={`${kind} ${id}`} id={id} />;
}
