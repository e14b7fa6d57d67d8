import { shift, write } from './decimals.ts';

/** A share of one in percent, cut or filled to so many decimals; as many as there are unless said. */
export function percentOf(share: string, decimals?: number): string {
  const { whole, fraction } = write(shift(share, 2), decimals);
  return `${whole}${fraction} %`;
}
