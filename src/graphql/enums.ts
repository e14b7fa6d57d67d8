import type { MarketState, MarketTradingMode } from '../domain/enumerations.ts';
import { builder } from './builder.ts';

/**
 * Makes a GraphQL enum of a network's enumeration; each of its values must be described. An enumeration of one noun
 * stands in that noun's file.
 */
export function defineEnum<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
) {
  const entries = (Object.keys(values) as Name[]).map((value) => [
    value,
    { value, description: values[value] },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(entries) as Record<Name, { value: Name; description: string }>,
  });
}

export const MarketStateEnum = defineEnum<MarketState>('MarketState', 'The state of a market.', {
  STATE_UNSPECIFIED: 'No state.',
  STATE_PROPOSED: 'Proposed, and not yet voted on.',
  STATE_REJECTED: 'Refused.',
  STATE_PENDING: 'Accepted, and in its opening auction.',
  STATE_CANCELLED: 'Accepted, and ended before it opened.',
  STATE_ACTIVE: 'Trading.',
  STATE_SUSPENDED: 'In an auction that price or liquidity monitoring started.',
  STATE_CLOSED: 'Closed. Not used by the network.',
  STATE_TRADING_TERMINATED: 'No longer trading, and not yet settled.',
  STATE_SETTLED: 'Settled. This is final.',
});

export const MarketTradingModeEnum = defineEnum<MarketTradingMode>(
  'MarketTradingMode',
  'The way in which a market matches orders.',
  {
    TRADING_MODE_UNSPECIFIED: 'No mode.',
    TRADING_MODE_CONTINUOUS: 'Orders trade as they arrive.',
    TRADING_MODE_BATCH_AUCTION: 'Orders trade in batches.',
    TRADING_MODE_OPENING_AUCTION: 'In the auction that opens the market.',
    TRADING_MODE_MONITORING_AUCTION: 'In an auction that price or liquidity monitoring started.',
    TRADING_MODE_NO_TRADING: 'Orders do not trade.',
  },
);
