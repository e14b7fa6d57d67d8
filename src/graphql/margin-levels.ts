import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { linkTo, partyNamedBy } from './links.ts';

const MarginLevel = builder.prismaNode('MarginLevel', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'The latest margin levels of a party in a market.',
  fields: (t) => ({
    maintenanceMargin: t.expose('maintenanceMargin', {
      type: 'Integer',
      description:
        "The maintenance margin, in the asset's smallest unit. With less, the position is closed out.",
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Integer',
      description:
        "The search level, in the asset's smallest unit. With less, the network takes margin from the party's general account.",
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Integer',
      description: "The initial margin, in the asset's smallest unit. It is needed to open the position.",
    }),
    collateralReleaseLevel: t.expose('collateralReleaseLevel', {
      type: 'Integer',
      description:
        "The collateral release level, in the asset's smallest unit. With more, the network releases margin.",
    }),
    partyId: t.exposeID('partyId', { description: 'The identifier of the party that holds the position.' }),
    marketId: t.exposeID('marketId', { description: 'The identifier of the market of the position.' }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset of the margin.' }),
    timestamp: t.expose('timestamp', {
      type: 'Timestamp',
      description: 'The time at which the levels were computed.',
    }),
    orderMargin: t.expose('orderMargin', {
      type: 'Integer',
      nullable: true,
      description:
        "The margin that the orders of the party need by themselves, in the asset's smallest unit: more than 0 in isolated margin mode only. Null before release 0.74.",
    }),
    marginMode: t.expose('marginMode', {
      type: 'MarginMode',
      nullable: true,
      description: 'The way in which the margin of the position is kept; null before release 0.74.',
    }),
    marginFactor: t.expose('marginFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The part of the value of the position that is its margin, from 0 to 1, in isolated margin mode; `"0"` in others, and null before release 0.74.',
    }),
    party: t.relation('party', {
      description: 'The party that holds the position.',
      ...partyNamedBy('partyId'),
    }),
    market: t.relation('market', {
      description: 'The market of the position.',
      ...linkTo(markets, 'marketId'),
    }),
    assetNode: t.relation('asset', {
      description: 'The asset of the margin.',
      ...linkTo(assets, 'assetId'),
    }),
  }),
});

export const MarginLevelConnection = builder.connectionObject(
  { type: MarginLevel, name: 'MarginLevelConnection', description: 'A page of margin levels.' },
  { name: 'MarginLevelEdge', description: 'Margin levels in a page.' },
);
