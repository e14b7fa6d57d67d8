import { isClosedOutAtOnce } from '../closed-out.ts';
import { compare, shift } from '../decimals.ts';
import { quantity } from './axis.ts';

/** What a position of an open volume would need, and where it would be closed out. */
export interface CurvePoint {
  /** In position decimals; negative for a short position. */
  readonly openVolume: string;
  /** Margins in the asset's smallest unit, with all of the market's slippage. */
  readonly initialMargin: string;
  readonly maintenanceMargin: string;
  /** In the asset's smallest unit; null where no price above zero is one up to which it is kept. */
  readonly liquidation: string | null;
}

/** A small position is closed out at prices far away: those above this many mark prices are not drawn. */
const MOST_MARK_PRICES = 3n;

/** Whether a liquidation price is so far from the mark price that it is not drawn. Both are in the asset's smallest unit. */
export function isFar(liquidation: string, markPrice: string): boolean {
  const [whole = '0'] = markPrice.split('.');
  return compare(liquidation, `${BigInt(whole) * MOST_MARK_PRICES}`) > 0;
}

/** What a curve shows and what it does not, and where there is nothing to show, in sentences. */
export function limitsOf(curve: LimitedCurve): readonly string[] {
  const { points, collateral, unit, volumeDecimals, markPrice, highestPrice } = curve;
  const volume = ({ openVolume }: CurvePoint) => quantity(shift(openVolume, -volumeDecimals));
  const write = (raw: string) => `${quantity(shift(raw, -unit.decimals))} ${unit.symbol}`;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isAnyFar = points.some(({ liquidation }) => liquidation !== null && isFar(liquidation, markPrice));
  return [
    `Estimated are ${points.length} open volumes from ${volume(first)} to ${volume(last)} contracts, each with all of the market’s slippage.`,
    coverOf(points, collateral, volume, write),
    ...endlessOf(curve, volume),
    ...(isAnyFar
      ? [
          `Liquidation prices of more than ${MOST_MARK_PRICES} times the mark price are not drawn, but can be read.`,
        ]
      : []),
    ...(highestPrice === null
      ? []
      : [`No price of this market passes ${write(highestPrice)}, so one above that closes nothing out.`]),
  ];
}

interface LimitedCurve {
  /** By open volume, the least first. */
  readonly points: readonly CurvePoint[];
  /** In the asset's smallest unit, as the prices are. */
  readonly collateral: string;
  /** That of the settlement asset. */
  readonly unit: { readonly symbol: string; readonly decimals: number };
  readonly volumeDecimals: number;
  readonly markPrice: string;
  /** Of a capped future. */
  readonly highestPrice: string | null;
  readonly isFullyCollateralised: boolean;
}

type Write<Of> = (of: Of) => string;

/** The more volume, the more margin: what the collateral covers is one range around none. */
function coverOf(
  points: readonly CurvePoint[],
  collateral: string,
  volume: Write<CurvePoint>,
  write: Write<string>,
): string {
  const covered = points.filter(({ initialMargin }) => compare(initialMargin, collateral) <= 0);
  const [least, most] = [covered[0], covered.at(-1)];
  const begin = `The collateral of ${write(collateral)} covers the initial margin of`;
  if (covered.length === points.length) return `${begin} all of them.`;
  if (!least || !most || covered.every(isNone)) return `${begin} none of them.`;
  return `${begin} those from ${volume(least)} to ${volume(most)}.`;
}

/** Where there is no liquidation price, and why. */
function endlessOf(
  { points, collateral, isFullyCollateralised }: LimitedCurve,
  volume: Write<CurvePoint>,
): readonly string[] {
  const endless = points.filter((point) => point.liquidation === null && !isNone(point));
  return [
    'A volume of zero is no position: it has no liquidation price.',
    ...['short', 'long'].flatMap((side) => {
      const those = endless.filter(({ openVolume }) => openVolume.startsWith('-') === (side === 'short'));
      const isLost = ({ maintenanceMargin }: CurvePoint) =>
        isClosedOutAtOnce(collateral, maintenanceMargin, isFullyCollateralised);
      const [kept, lost] = [those.filter((point) => !isLost(point)), those.filter(isLost)].map((some) =>
        rangeOf(some, side, volume),
      );
      return [
        ...(kept ? [`No price above zero closes out ${kept}: they have none either.`] : []),
        ...(lost
          ? [`At no price is the maintenance margin covered of ${lost}: they are closed out at once.`]
          : []),
      ];
    }),
  ];
}

function rangeOf(points: readonly CurvePoint[], side: string, volume: Write<CurvePoint>): string | null {
  const [least, most] = [points[0], points.at(-1)];
  return least && most ? `${side} positions from ${volume(least)} to ${volume(most)}` : null;
}

function isNone({ openVolume }: CurvePoint): boolean {
  return openVolume === '0';
}
