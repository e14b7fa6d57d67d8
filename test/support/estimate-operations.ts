/** What an estimate without a margin mode has of levels and prices, in the order of the documented answer. */
export const LEVELS_AND_PRICES = `
  fragment Levels on EstimatedMarginLevel {
    maintenanceMargin searchLevel initialMargin collateralReleaseLevel partyId marketId asset timestamp
  }
  fragment Prices on LiquidationPrices { openVolumeOnly includingBuyOrders includingSellOrders }`;

/** Spread by operations that ask for whole position estimates, in the order of the documented answer. */
export const POSITION_FRAGMENTS = `
  fragment Estimate on PositionEstimate {
    margin { worstCase { ...Levels } bestCase { ...Levels } }
    liquidation { worstCase { ...Prices } bestCase { ...Prices } }
  }
  ${LEVELS_AND_PRICES}`;

export const POSITION = `
  query ($marketId: ID!, $openVolume: Int64!, $collateralAvailable: Decimal, $orders: [OpenOrderInput!]) {
    estimatePosition(
      marketId: $marketId, openVolume: $openVolume, collateralAvailable: $collateralAvailable, orders: $orders
    ) { ...Estimate }
  }
  ${POSITION_FRAGMENTS}`;

export const FEE = `
  query ($marketId: ID!, $price: Integer!, $size: Uint64!) {
    estimateFee(marketId: $marketId, price: $price, size: $size) { makerFee infrastructureFee liquidityFee }
  }`;
