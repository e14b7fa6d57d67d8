import { transfer } from './accounts.ts';
import { divideUp } from './amounts.ts';
import { BUY_BACK_FEE, FEE_PLACES, INFRASTRUCTURE_FEE, MAKER_FEE, TREASURY_FEE } from './market-terms.ts';
import { generalAccount } from './parties.ts';
import { accountsOf, type Market } from './state/markets.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';

const FEE_UNIT = 10n ** BigInt(FEE_PLACES);

export interface Fees {
  readonly maker: bigint;
  readonly infrastructure: bigint;
  readonly liquidity: bigint;
  /** Zero but in newer releases, as what is for buying back. */
  readonly treasury: bigint;
  readonly buyBack: bigint;
}

/** The fees on a trade of a value. Each is rounded up. */
export function feesOn(block: SimulatedBlock, market: Market, value: bigint): Fees {
  const fee = (rate: number) => divideUp(value * BigInt(rate), FEE_UNIT);
  return {
    maker: fee(MAKER_FEE),
    infrastructure: fee(INFRASTRUCTURE_FEE),
    liquidity: fee(market.liquidityFee),
    treasury: isNewer(block) ? fee(TREASURY_FEE) : 0n,
    buyBack: isNewer(block) ? fee(BUY_BACK_FEE) : 0n,
  };
}

export function sumOf({ maker, infrastructure, liquidity, treasury, buyBack }: Fees): bigint {
  return maker + infrastructure + liquidity + treasury + buyBack;
}

/** Takes them from who took the order. */
export function payFees(block: SimulatedBlock, market: Market, taker: Party, maker: Party, fees: Fees): void {
  const { makerFees, liquidityFees } = accountsOf(market);
  const { asset } = market;
  const payer = generalAccount(block, taker, asset);
  transfer(block, payer, makerFees, fees.maker);
  transfer(block, makerFees, generalAccount(block, maker, asset), fees.maker);
  transfer(block, payer, asset.infrastructureFees, fees.infrastructure);
  transfer(block, payer, liquidityFees, fees.liquidity);
  if (asset.newer === null) return;
  transfer(block, payer, asset.newer.treasury, fees.treasury);
  transfer(block, payer, asset.newer.buyBackFees, fees.buyBack);
}
