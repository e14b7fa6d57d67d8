import { shift, writeSome } from './decimals.ts';

/** A share of one in percent, cut or filled to so many decimals; as many as there are unless said. */
export function percentOf(share: string, decimals?: number): string {
  const { whole, fraction } = writeSome(shift(share, 2), decimals);
  return `${whole}${fraction} %`;
}
