import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { parties } from '../data/nouns/parties.ts';
import { builder } from './builder.ts';

const MarginLevel = builder.prismaNode('MarginLevel', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'How much margin the network last asked of a party in a market.',
  fields: (t) => ({
    maintenanceMargin: t.expose('maintenanceMargin', {
      type: 'Integer',
      description: "Below this the position is closed out, in the asset's smallest unit.",
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Integer',
      description:
        "Below this the network takes more margin from the party's general account, in the asset's smallest unit.",
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Integer',
      description: "What a party must put up to open the position, in the asset's smallest unit.",
    }),
    collateralReleaseLevel: t.expose('collateralReleaseLevel', {
      type: 'Integer',
      description: "Above this the network gives margin back, in the asset's smallest unit.",
    }),
    partyId: t.exposeID('partyId', { description: 'The party that holds the position.' }),
    marketId: t.exposeID('marketId', { description: 'The market of the position.' }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset that margin is put up in.' }),
    timestamp: t.expose('timestamp', { type: 'Timestamp', description: 'When the levels were computed.' }),
    party: t.relation('party', {
      nullable: true,
      description: 'The party that holds the position.',
      resolve: (query, { partyId }, _, { links }) => links.load(parties, query, partyId),
    }),
    market: t.relation('market', {
      nullable: true,
      description: 'The market of the position.',
      resolve: (query, { marketId }, _, { links }) => links.load(markets, query, marketId),
    }),
    assetNode: t.relation('asset', {
      nullable: true,
      description: 'The asset that margin is put up in.',
      resolve: (query, { assetId }, _, { links }) => links.load(assets, query, assetId),
    }),
  }),
});

export const MarginLevelConnection = builder.connectionObject(
  { type: MarginLevel, name: 'MarginLevelConnection', description: 'A page of margin levels.' },
  { name: 'MarginLevelEdge', description: 'Margin levels in their list.' },
);
