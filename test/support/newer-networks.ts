import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shared/data/network-0.79/', import.meta.url));

/** What an independent decoding gives of a recording at the end of its last whole block. */
export interface ExpectedNetwork {
  readonly events: number;
  readonly eventsOfWholeBlocks: number;
  readonly blocks: number;
  readonly lastHeight: number;
  readonly eventsAfterLastWholeBlock: number;
  /** Balances by `owner|market|asset|type`. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly markets: Readonly<Record<string, ExpectedMarket>>;
  readonly marketData: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly rewards: number;
  readonly marginLevels: number;
  readonly isolatedMarginLevels: number;
}

export interface ExpectedMarket {
  readonly state: string;
  readonly tradingMode: string;
  readonly decimalPlaces: string;
  readonly positionDecimalPlaces: string;
  readonly product: 'future' | 'perpetual' | 'spot';
  readonly settlementAsset?: string;
  readonly quoteName?: string;
  readonly marginFundingFactor?: string;
  readonly baseAsset?: string;
  readonly quoteAsset?: string;
  readonly cap?: {
    readonly maxPrice: string;
    readonly fullyCollateralised: boolean;
    readonly binarySettlement: boolean;
  };
}

export interface NewerRecording {
  readonly name: string;
  readonly path: string;
  readonly expected: ExpectedNetwork;
}

/**
 * The recordings of release 0.79, which their licence keeps out of the project; none, and said so, where they are not
 * there.
 */
export const newerRecordings: readonly NewerRecording[] = existsSync(folder) ? readRecordings() : [];
if (newerRecordings.length === 0)
  console.warn('Not there: ../shared/data/network-0.79. Its tests are skipped.');

function readRecordings(): readonly NewerRecording[] {
  const expected = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8'));
  return readdirSync(folder)
    .filter((file) => file.endsWith('.evt.gz'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.gz'.length);
      return { name, path: `${folder}${file}`, expected: expected[name] };
    });
}
