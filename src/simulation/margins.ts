import { marginModes } from '../domain/enumerations.ts';
import { transfer, transferUpTo } from './accounts.ts';
import { divideUp } from './amounts.ts';
import { fundingOwed } from './funding.ts';
import { MARGIN_FUNDING, SCALING } from './market-terms.ts';
import { generalAccount } from './parties.ts';
import { amountOf, type Market, type Position, worth } from './state/markets.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';

/** Risk factors are in units of 10^-16; slippage adds a thousandth. */
const FACTOR_UNIT = 10n ** 16n;
const SLIPPAGE = FACTOR_UNIT / 1000n;

/**
 * The least margin that a position of this size needs at the market's price, rounded up; of a perpetual with a tenth of
 * the funding that it owes.
 */
export function maintenanceMargin(market: Market, size: number): bigint {
  const factor = size > 0 ? market.riskFactor.long : market.riskFactor.short;
  const owed = amountOf(market, fundingOwed(market, size));
  const ofPrice = divideUp(worth(market, Math.abs(size), market.price) * (factor + SLIPPAGE), FACTOR_UNIT);
  return owed > 0n ? ofPrice + divideUp(owed * BigInt(MARGIN_FUNDING), 10n) : ofPrice;
}

/** What a position of this size is begun with. */
export function initialMargin(market: Market, size: number): bigint {
  return level(maintenanceMargin(market, size), SCALING.initial);
}

/**
 * Announces the levels of a position and moves collateral as they ask: up to the initial margin when there is
 * less than the search level, down to it when there is more than the release level. Without a size, all goes back.
 */
export function refreshMargin(block: SimulatedBlock, market: Market, position: Position): void {
  const { party, margin } = position;
  const maintenance = maintenanceMargin(market, position.size);
  const search = level(maintenance, SCALING.search);
  const initial = level(maintenance, SCALING.initial);
  const release = level(maintenance, SCALING.release);
  block.events.push({
    type: 'marginLevel',
    row: {
      partyId: party.id,
      marketId: market.id,
      assetId: market.asset.row.id,
      maintenanceMargin: maintenance.toString(),
      searchLevel: search.toString(),
      initialMargin: initial.toString(),
      collateralReleaseLevel: release.toString(),
      timestamp: block.timestamp,
      orderMargin: isNewer(block) ? '0' : null,
      marginMode: isNewer(block) ? marginModes.numbers.MARGIN_MODE_CROSS_MARGIN : null,
      marginFactor: isNewer(block) ? '0' : null,
    },
  });
  const general = generalAccount(block, party, market.asset);
  if (margin.balance < search) transferUpTo(block, general, margin, initial - margin.balance);
  else if (margin.balance > release) transfer(block, margin, general, margin.balance - initial);
}

function level(maintenance: bigint, tenths: number): bigint {
  return divideUp(maintenance * BigInt(tenths), 10n);
}
