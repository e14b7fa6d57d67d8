import type { ResultOf } from 'gql.tada';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { oneAnswer, pageAnswer } from './mapped-answers.ts';
import { pageOf, pagination } from './pagination.ts';
import { inPath, optional } from './params.ts';
import { route } from './route.ts';
import { has, mayHave, object, scalar, text } from './shape.ts';
import { id } from './value-types.ts';

export const AssetFields = graphql(`
  fragment AssetFields on Asset {
    id name symbol decimals quantum status
    maxFaucetAmount contractAddress lifetimeLimit withdrawThreshold chainId
  }
`);

type Asset = ResultOf<typeof AssetFields>;

const BuiltinAsset = object<{ readonly maxFaucetAmount: string }>(
  'BuiltinAsset',
  'What an asset of the network itself has.',
  {
    maxFaucetAmountMint: has(
      'The largest amount that one call of the faucet gives.',
      scalar('Integer'),
      (asset) => asset.maxFaucetAmount,
    ),
  },
);

const Erc20 = object<Asset & { readonly contractAddress: string }>(
  'Erc20Asset',
  'What an asset has that is a token of an Ethereum chain.',
  {
    contractAddress: has('The address of the contract.', text, (asset) => asset.contractAddress),
    lifetimeLimit: has(
      'The total amount that one address can ever deposit.',
      scalar('Integer'),
      (asset) => asset.lifetimeLimit ?? '0',
    ),
    withdrawThreshold: has(
      'The amount from which a withdrawal is delayed.',
      scalar('Integer'),
      (asset) => asset.withdrawThreshold ?? '0',
    ),
    chainId: mayHave(
      'The identifier of the chain that the contract is on, such as `1`; absent before release 0.76.',
      text,
      (asset) => asset.chainId,
    ),
  },
);

const AssetDetails = object<Asset>('AssetDetails', 'What an asset is. It has one source at most.', {
  name: has('The name of the asset, such as `Euro`.', text, (asset) => asset.name),
  symbol: has('The symbol of the asset, such as `EUR`.', text, (asset) => asset.symbol),
  decimals: has(
    'The number of decimal places between the smallest unit and the whole one.',
    scalar('Uint64'),
    (asset) => asset.decimals,
  ),
  quantum: has(
    "The smallest amount that is economically meaningful, in the asset's smallest unit.",
    scalar('Decimal'),
    (asset) => asset.quantum,
  ),
  builtinAsset: mayHave(
    'Absent unless the asset is of the network itself.',
    BuiltinAsset,
    ({ maxFaucetAmount }) => (maxFaucetAmount === null ? null : { maxFaucetAmount }),
  ),
  erc20: mayHave('Absent unless the asset is a token of an Ethereum chain.', Erc20, (asset) =>
    asset.contractAddress === null ? null : { ...asset, contractAddress: asset.contractAddress },
  ),
});

export const AssetShape = object<Asset>('Asset', 'An asset that the network holds and markets settle in.', {
  id: has('The identifier of the asset.', text, (asset) => asset.id),
  details: has('What the asset is.', AssetDetails, (asset) => asset),
  status: has('The status of the asset.', scalar('AssetStatus'), (asset) => asset.status),
});

export const assetRoutes = [
  route({
    path: '/api/v2/assets',
    summary: 'A list of assets',
    parameters: { assetId: optional(id, 'Only this asset.'), ...pagination('assets') },
    operation: graphql(
      `query ListAssets($ids: [ID!], ${PAGE_VARIABLES}) {
        assets(ids: $ids, ${PAGE_ARGUMENTS}) {
          edges { node { ...AssetFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [AssetFields, PageInfoFields],
    ),
    variables: ({ assetId, ...given }) => ({
      ids: assetId === undefined ? undefined : [assetId],
      ...pageOf(given),
    }),
    ...pageAnswer('assets', 'Asset', AssetShape),
  }),
  route({
    path: '/api/v2/asset/:assetId',
    summary: 'One asset',
    parameters: { assetId: inPath(id, 'The id of the asset.') },
    operation: graphql(`query GetAsset($id: ID!) { asset(id: $id) { ...AssetFields } }`, [AssetFields]),
    variables: ({ assetId }) => ({ id: assetId }),
    ...oneAnswer('asset', AssetShape, ({ assetId }: { readonly assetId: string }) => assetId),
  }),
];
