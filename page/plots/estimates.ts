import type { Operation } from '../graphql.ts';
import type { CurvePoint } from './margin-limits.ts';

/** What a curve is asked with, in the network's units; the open volume is not below zero. */
export interface Curve {
  readonly marketId: string;
  readonly openVolume: string;
  readonly collateral: string;
}

interface Estimate {
  readonly margin: {
    readonly worstCase: { readonly initialMargin: string; readonly maintenanceMargin: string };
  };
  readonly liquidation: { readonly worstCase: { readonly openVolumeOnly: string } } | null;
}

/** By the alias of each, which has the volume. */
type Estimates = Readonly<Record<string, Estimate | null>>;

interface Variables {
  readonly at: string | null;
  readonly marketId: string;
  readonly collateral: string;
}

/** How many points there are on each side of none: with all of them, the document has two thirds of the tokens that it may. */
const STEPS = 16n;

/** A volume of fewer units has points around it that are the same. */
export const LEAST_UNITS = STEPS / 2n;

/** Open volumes from twice as much short to twice as much long, each once: the volume itself is among them. */
export function volumesAround(openVolume: string): readonly string[] {
  const most = 2n * BigInt(openVolume);
  const steps = Array.from({ length: Number(2n * STEPS) + 1 }, (_, index) => BigInt(index) - STEPS);
  return [...new Set(steps.map((step) => `${(most * step) / STEPS}`))];
}

/** One operation that estimates positions of all these volumes, each under an alias of its own. */
export function operationOf(
  volumes: readonly string[],
): Operation<{ readonly asOf: Estimates | null }, Variables> {
  const fields = volumes.map(
    (volume) =>
      `${aliasOf(volume)}: estimatePosition(marketId: $marketId, openVolume: "${volume}", collateralAvailable: $collateral) { ...Margins }`,
  );
  const text = `
    query MarginCurve($at: Uint64, $marketId: ID!, $collateral: Decimal!) {
      asOf(height: $at) {
        ${fields.join('\n        ')}
      }
    }
    fragment Margins on PositionEstimate {
      margin { worstCase { initialMargin maintenanceMargin } }
      liquidation { worstCase { openVolumeOnly } }
    }
  `;
  // The document is made here, so its types are said and not found.
  return new String(text) as unknown as ReturnType<typeof operationOf>;
}

/** The estimates by open volume, the least first. */
export function curveOf(estimates: Estimates): readonly CurvePoint[] {
  return Object.entries(estimates).flatMap(([alias, estimate]) => {
    if (estimate === null) return [];
    const openVolume = alias.replace('long', '').replace('short', '-');
    const price = estimate.liquidation?.worstCase.openVolumeOnly ?? '0';
    const isThere = /[1-9]/.test(price) && !price.startsWith('-');
    return [{ openVolume, ...estimate.margin.worstCase, liquidation: isThere ? price : null }];
  });
}

function aliasOf(volume: string): string {
  return volume.startsWith('-') ? `short${volume.slice(1)}` : `long${volume}`;
}
