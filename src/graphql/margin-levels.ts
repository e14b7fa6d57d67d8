import { assets } from '../data/nouns/assets.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { markets } from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { defineConnection } from './connections.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { defineStream } from './streams.ts';

export const MarginLevel = builder.prismaNode('MarginLevel', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'The latest margin levels of a party in a market.',
  fields: (t) => ({
    ...exposeColumns(t, {
      Integer: {
        maintenanceMargin:
          "The maintenance margin, in the asset's smallest unit. With less, the position is closed out.",
        searchLevel:
          "The search level, in the asset's smallest unit. With less, the network takes margin from the party's general account.",
        initialMargin: "The initial margin, in the asset's smallest unit. It is needed to open the position.",
        collateralReleaseLevel:
          "The collateral release level, in the asset's smallest unit. With more, the network releases margin.",
      },
      ID: {
        partyId: 'The identifier of the party that holds the position.',
        marketId: 'The identifier of the market of the position.',
      },
      Timestamp: { timestamp: 'The time at which the levels were computed.' },
      'Integer | null': {
        orderMargin:
          "The margin that the orders of the party need by themselves, in the asset's smallest unit: more than 0 in isolated margin mode only. Null before release 0.74.",
      },
      'MarginMode | null': {
        marginMode: 'The way in which the margin of the position is kept; null before release 0.74.',
      },
      'Decimal | null': {
        marginFactor:
          'The part of the value of the position that is its margin, from 0 to 1, in isolated margin mode; `"0"` in others, and null before release 0.74.',
      },
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset of the margin.' }),
    party: t.relation('party', partyNamedBy('partyId', 'The party that holds the position.')),
    market: t.relation('market', linkTo(markets, 'marketId', 'The market of the position.')),
    assetNode: t.relation('asset', linkTo(assets, 'assetId', 'The asset of the margin.')),
  }),
});

export const MarginLevelConnection = defineConnection(marginLevels, MarginLevel, 'Margin levels');

defineStream(marginLevels, MarginLevel, {
  description:
    'A snapshot of the margin levels that pass the filter, then each change of one, in order, by whole blocks.',
  args: builder.args((t) => ({
    partyId: t.id({ description: 'Only margin levels of this party.' }),
    marketId: t.id({ description: 'Only margin levels in this market.' }),
  })),
  filterOf: (filter) => filter,
});
