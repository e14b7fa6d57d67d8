/** The parts of a fee, in the order of the network's message. */
export const feeParts = [
  'makerFee',
  'infrastructureFee',
  'liquidityFee',
  'makerFeeVolumeDiscount',
  'infrastructureFeeVolumeDiscount',
  'liquidityFeeVolumeDiscount',
  'makerFeeReferrerDiscount',
  'infrastructureFeeReferrerDiscount',
  'liquidityFeeReferrerDiscount',
  'treasuryFee',
  'buyBackFee',
  'highVolumeMakerFee',
] as const;

/** Each in the smallest unit of the asset; what there is none of is `0`. */
export type TradeFee = { readonly [Part in (typeof feeParts)[number]]: string };

/** What a row has for a fee: its parts between commas, without zeros, up to the last that is none. No fee is the empty text. */
export function writeFee(fee: Partial<TradeFee>): string {
  const amounts = feeParts.map((part) => (fee[part] === '0' ? '' : fee[part]));
  return amounts.join().replace(/,+$/, '');
}

export function readFee(text: string): TradeFee {
  const amounts = text.split(',');
  return Object.fromEntries(feeParts.map((part, place) => [part, amounts[place] || '0'])) as TradeFee;
}
