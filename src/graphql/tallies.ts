import type { Proposal } from '../data/generated/prisma/client.ts';
import { dependsOnRows } from '../data/noun-tags.ts';
import { proposals } from '../data/nouns/proposals.ts';
import { votes } from '../data/nouns/votes.ts';
import { type VoteTally as Counted, readTallies } from '../data/queries/tallies.ts';
import { Decimal } from '../domain/decimals.ts';
import { type VoteValue, voteValues } from '../domain/enumerations.ts';
import { builder } from './builder.ts';
import { defineObject, exposeColumns } from './columns.ts';
import { COST_OF, costs } from './costs.ts';
import { defineReadings } from './live-readings.ts';

const VoteTally = defineObject<Omit<Counted, 'value'>>('VoteTally', 'The votes for one choice, added up.', {
  Int: { votes: 'The number of votes.' },
  Integer: {
    tokens: 'The governance tokens of those who voted so, in their smallest unit; `"0"` until voting closes.',
  },
  Decimal: {
    weight: 'Their share of the governance tokens that voted, from 0 to 1; `"0"` until voting closes.',
    equityLikeShareWeight:
      'Their share of the liquidity, from 0 to 1; `"0"` until voting closes, and unless the proposal changes a market.',
  },
});

type Required =
  | 'requiredParticipation'
  | 'requiredMajority'
  | 'requiredLiquidityProviderParticipation'
  | 'requiredLiquidityProviderMajority';

interface Tally extends Pick<Proposal, Required> {
  readonly yes: Counted;
  readonly no: Counted;
  readonly majority: string | null;
  readonly liquidityProviderParticipation: string;
  readonly liquidityProviderMajority: string | null;
}

const ProposalTally = builder.objectRef<Tally>('ProposalTally').implement({
  description:
    'How the votes on a proposal stand. What share of all governance tokens has voted is not told: the network does not say how many there are.',
  fields: (t) => ({
    ...exposeColumns(t, {
      Decimal: {
        requiredParticipation: 'The share of all governance tokens that must vote, from 0 to 1.',
        requiredMajority: 'What `majority` must be at least.',
      },
      'Decimal | null': {
        requiredLiquidityProviderParticipation:
          'What `liquidityProviderParticipation` must be at least; null unless the proposal changes a market.',
        requiredLiquidityProviderMajority:
          'What `liquidityProviderMajority` must be at least; null unless the proposal changes a market.',
      },
    }),
    yes: t.expose('yes', { type: VoteTally, description: 'The votes for the proposal.' }),
    no: t.expose('no', { type: VoteTally, description: 'The votes against it.' }),
    majority: t.expose('majority', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of the tokens that voted that are for the proposal, from 0 to 1, to 16 decimal places; null while none have.',
    }),
    liquidityProviderParticipation: t.expose('liquidityProviderParticipation', {
      type: 'Decimal',
      description:
        'The share of the liquidity that voted, from 0 to 1; `"0"` unless the proposal changes a market.',
    }),
    liquidityProviderMajority: t.expose('liquidityProviderMajority', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of the liquidity that voted that is for the proposal, from 0 to 1, to 16 decimal places; null while none has.',
    }),
  }),
});

builder.prismaObjectField('Proposal', 'tally', (t) =>
  t.field({
    type: ProposalTally,
    description: 'How the votes on the proposal stand.',
    ...costs({ each: COST_OF.list, counts: 1 }),
    resolve: async (proposal, _, { load }) => tallyOf(proposal, (await load(readTallies, proposal.id)) ?? []),
  }),
);

const tallyArgs = builder.args((t) => ({
  proposalId: t.id({ required: true, description: "The proposal's identifier." }),
}));

function tallyOf(proposal: Proposal, counted: readonly Counted[]): Tally {
  const [yes, no] = [countedFor('VALUE_YES', counted), countedFor('VALUE_NO', counted)];
  const tokens = Decimal.ofResult(yes.tokens);
  const liquidity = Decimal.ofResult(yes.equityLikeShareWeight);
  const allLiquidity = liquidity.add(Decimal.ofResult(no.equityLikeShareWeight));
  return {
    ...proposal,
    yes,
    no,
    majority: shareOf(tokens, tokens.add(Decimal.ofResult(no.tokens))),
    liquidityProviderParticipation: allLiquidity.toString(),
    liquidityProviderMajority: shareOf(liquidity, allLiquidity),
  };
}

function countedFor(choice: VoteValue, counted: readonly Counted[]): Counted {
  const value = voteValues.numbers[choice];
  const found = counted.find((one) => one.value === value);
  const { votes = 0, tokens = '0', weight = '0', equityLikeShareWeight = '0' } = found ?? {};
  return { value, votes, tokens, weight, equityLikeShareWeight };
}

function shareOf(part: Decimal, whole: Decimal): string | null {
  return whole.sign === 0 ? null : part.divide(whole).toString();
}

defineReadings<Tally | null, typeof tallyArgs>('proposalTally', {
  description:
    'How the votes on a proposal stand, as they come. A message has the whole tally, as of its block, and takes the place of the one before.',
  message: 'the tally as of its block',
  args: tallyArgs,
  fields: (t) => ({
    tally: t.field({
      type: ProposalTally,
      nullable: true,
      description:
        'The tally; null while there is no proposal with the identifier, and in a message that says only how far the stream has come.',
      ...costs({ each: COST_OF.part, isTold: true }),
      resolve: ({ value }) => value,
    }),
  }),
  follow: ({ proposalId }) => ({
    key: proposalId,
    dependsOn: [
      ...dependsOnRows(votes, 'proposalId', [proposalId]),
      ...dependsOnRows(proposals, 'id', [proposalId]),
    ],
    from: null,
    read: async (past) => {
      const [proposal, counted] = await Promise.all([
        past.models().row(proposals, proposalId, {}),
        past.load(readTallies, proposalId),
      ]);
      return proposal && tallyOf(proposal as Proposal, counted ?? []);
    },
    endOf: () => null,
    lengthsOf: (tally) => ({ tally: tally === null ? 0 : 1 }),
  }),
});
