import { assetStatuses } from '../../domain/enumerations.ts';
import { enumerated, object, optional, otherwise, required, text } from '../json-objects.ts';
import { decimals, ids, places } from '../json-values.ts';
import { decimal, decimalPlaces, id } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const asset: IngestNoun<'asset', 'asset'> = {
  events: { asset: 18 },
  fromMessage({ id: assetId, details, status }) {
    const builtin = details?.source.case === 'builtinAsset' ? details.source.value : null;
    const erc20 = details?.source.case === 'erc20' ? details.source.value : null;
    return {
      id: id('id', assetId),
      name: details?.name ?? '',
      symbol: details?.symbol ?? '',
      decimals: decimalPlaces('decimals', details?.decimals ?? 0n),
      quantum: decimal('quantum', details?.quantum ?? ''),
      status,
      maxFaucetAmount: builtin && decimal('maxFaucetAmountMint', builtin.maxFaucetAmountMint),
      contractAddress: erc20?.contractAddress ?? null,
      lifetimeLimit: erc20 && decimal('lifetimeLimit', erc20.lifetimeLimit),
      withdrawThreshold: erc20 && decimal('withdrawThreshold', erc20.withdrawThreshold),
      chainId: erc20?.chainId || null,
    };
  },
  fromJson: object({
    id: required(ids),
    name: otherwise('', text),
    symbol: otherwise('', text),
    decimals: required(places(0)),
    quantum: otherwise('1', decimals),
    status: otherwise(assetStatuses.numbers.STATUS_ENABLED, enumerated(assetStatuses)),
    maxFaucetAmount: optional(decimals),
    contractAddress: optional(text),
    lifetimeLimit: optional(decimals),
    withdrawThreshold: optional(decimals),
    chainId: optional(text),
  }),
};
