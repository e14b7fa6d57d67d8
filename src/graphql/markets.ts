import { markets, type Product as ProductShape } from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { listOf, pageArgs } from './connections.ts';
import { rowBy } from './links.ts';

/** The rows have them as text, so they are texts here. */
const products: Readonly<Record<string, { readonly description: string }>> = {
  FUTURE: { description: 'A future: positions settle once, when the market ends. It can have a cap.' },
  PERPETUAL: { description: 'A perpetual: positions go on, and pay each other funding.' },
  SPOT: {
    description:
      'A spot: one asset is exchanged for another. There are no positions, and so no margin, risk factors or settlement.',
  },
} satisfies Readonly<Record<ProductShape, unknown>>;

export const Product = builder.enumType('Product', {
  description:
    'What a market trades. The network has no names for it; a product that this version does not know is null.',
  values: products,
});

const Market = builder.prismaNode('Market', {
  nullable: true,
  id: { field: 'id' },
  description: 'A market for a future, a perpetual or a spot.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the market.' }),
    instrumentId: t.exposeString('instrumentId', {
      description: 'The identifier of the instrument. May be empty.',
    }),
    instrumentCode: t.exposeString('instrumentCode', { description: 'The code of the instrument.' }),
    instrumentName: t.exposeString('instrumentName', { description: 'The name of the instrument.' }),
    tags: t.exposeStringList('tags', { description: 'A list of the tags of the instrument.' }),
  }),
});

export const MarketConnection = builder.connectionObject(
  { type: Market, name: 'MarketConnection', description: 'A page of markets.' },
  { name: 'MarketEdge', description: 'A market in a page.' },
);

builder.queryFields((t) => ({
  market: t.prismaField({
    type: Market,
    nullable: true,
    description: 'The market with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    ...rowBy(markets, 'id'),
  }),
  markets: t.field({
    type: MarketConnection,
    description: 'A list of markets.',
    args: {
      settlementAssetId: t.arg.id({ description: 'Only markets that settle in this asset.' }),
      states: t.arg({ type: ['MarketState'], description: 'Only markets in one of these states.' }),
      ...pageArgs,
    },
    ...listOf(markets),
  }),
}));
