import { compare, shift } from '../decimals.ts';
import { Name } from '../values.tsx';
import { quantity } from './axis.ts';

/** How the votes on a proposal stand, as `proposal(id) { tally }` says; shares are from 0 to 1. */
export interface TallyOf {
  readonly majority: string | null;
  readonly requiredMajority: string;
  readonly requiredParticipation: string;
  readonly liquidityProviderMajority: string | null;
  readonly liquidityProviderParticipation: string;
  readonly requiredLiquidityProviderMajority: string | null;
  readonly requiredLiquidityProviderParticipation: string | null;
  readonly yes: Votes;
  readonly no: Votes;
}

interface Votes {
  readonly votes: number;
  /** In the governance token's smallest unit. */
  readonly tokens: string;
}

/** The votes on a proposal as bars, with what is required marked, and in words. */
export function Tally({ tally, state }: TallyProps) {
  const isOpen = OPEN.includes(state);
  const { yes, no } = tally;
  return (
    <div class="tally">
      <p>
        <strong>
          <Name of={state} after="STATE_" />
        </strong>
        . {verdictOf(tally, isOpen)}
      </p>
      <Share
        name="For it, of the tokens that voted"
        share={tally.majority}
        required={tally.requiredMajority}
        isAgainst
      />
      {tally.requiredLiquidityProviderMajority !== null && (
        <Share
          name="For it, of the liquidity that voted"
          share={tally.liquidityProviderMajority}
          required={tally.requiredLiquidityProviderMajority}
          isAgainst
        />
      )}
      {tally.requiredLiquidityProviderParticipation !== null && (
        <Share
          name="Liquidity that voted"
          share={tally.liquidityProviderParticipation}
          required={tally.requiredLiquidityProviderParticipation}
        />
      )}
      <dl class="readings">
        <Side name="Yes" kind="up" votes={yes} />
        <Side name="No" kind="down" votes={no} />
      </dl>
      <p class="quiet">
        At least {percent(tally.requiredParticipation)} of all governance tokens must vote. The network does
        not say how many there are, so how many of them have voted is not known here.
      </p>
    </div>
  );
}

interface TallyProps {
  readonly tally: TallyOf;
  /** Of the proposal. */
  readonly state: string;
}

/** The states in which votes are still taken. */
const OPEN = ['STATE_OPEN', 'STATE_WAITING_FOR_NODE_VOTE'];

/** A share as a bar from 0 to 100 %, with the one that is required as a line through it. */
function Share({ name, share, required, isAgainst = false }: ShareProps) {
  const width = (of: string) => `${shift(of, 2)}%`;
  const said = share === null ? 'none yet' : percent(share);
  return (
    <div class="share">
      <p>
        {name}: <strong>{said}</strong>, required {percent(required)}
      </p>
      <svg width="100%" height="26" aria-hidden="true">
        <rect class="all" y="5" width="100%" height="16" />
        {share !== null && isAgainst && <rect class="no" y="5" width="100%" height="16" />}
        {share !== null && <rect class="yes" y="5" width={width(share)} height="16" />}
        <line class="required" x1={width(required)} x2={width(required)} y1="0" y2="26" />
      </svg>
    </div>
  );
}

interface ShareProps {
  readonly name: string;
  readonly share: string | null;
  readonly required: string;
  /** Whether the rest is against it. */
  readonly isAgainst?: boolean;
}

function Side({ name, kind, votes: { votes, tokens } }: SideProps) {
  return (
    <div class={kind}>
      <dt>{name}</dt>
      <dd>
        {votes} {votes === 1 ? 'vote' : 'votes'}
        {tokens !== '0' && <span class="quiet">, {quantity(tokens)} smallest units of the token</span>}
      </dd>
    </div>
  );
}

interface SideProps {
  readonly name: string;
  readonly kind: 'up' | 'down';
  readonly votes: Votes;
}

/** Whether it would pass by its tokens, and what that depends on; once voting is over, how it stood. */
function verdictOf(tally: TallyOf, isOpen: boolean): string {
  if (tally.majority === null) {
    return isOpen
      ? 'Tokens are counted when voting closes: whether it would pass is not known yet.'
      : 'No token voted, so there is no majority for it.';
  }
  const isReached = compare(tally.majority, tally.requiredMajority) >= 0;
  if (!isOpen) return isReached ? 'It had the majority that it needed.' : 'Its majority was too small.';
  return isReached
    ? 'By its majority it would pass, if enough tokens take part.'
    : 'It would not pass by its tokens: its majority is too small.';
}

/** Cut, not rounded, to four decimals. */
function percent(share: string): string {
  const [whole = '', fraction = ''] = shift(share, 2).split('.');
  return `${whole}${fraction && `.${fraction.slice(0, 4)}`} %`;
}
