import { useAsked } from './asked.ts';
import { isClosedOutAtOnce } from './closed-out.ts';
import { compare, positionIn, shift } from './decimals.ts';
import { type Estimate, EstimatePosition, type MarginLevels, type Question, question } from './estimate.ts';
import { type Mark, Scale } from './scale.tsx';
import { type Column, Table } from './table.tsx';
import { Amount, type Unit } from './values.tsx';

const LEVELS: readonly { readonly name: string; readonly of: keyof MarginLevels }[] = [
  { name: 'Maintenance', of: 'maintenanceMargin' },
  { name: 'Search', of: 'searchLevel' },
  { name: 'Initial', of: 'initialMargin' },
  { name: 'Release', of: 'collateralReleaseLevel' },
];

const COLUMNS: readonly Column[] = [
  ['Level'],
  ['Best case', 'number'],
  ['Worst case', 'number'],
  ['As bars', 'bars'],
];

/** The margins and the liquidation prices of the position that is asked about. */
export function EstimateAnswer() {
  return question.value === null ? <Waiting /> : <Answer of={question.value} />;
}

export function Waiting() {
  return <p class="answer quiet">Waiting for the estimate…</p>;
}

function Answer({ of }: { readonly of: Question }) {
  const { data, error, variables } = useAsked(EstimatePosition, of).value;
  if (error) {
    return (
      <p class="answer problem" role="alert">
        {error.message}
      </p>
    );
  }
  if (!data?.asOf?.estimatePosition) return <Waiting />;
  const { market, estimatePosition: estimate } = data.asOf;
  const unit = market?.settlementAssetNode ?? null;
  const decimals = market?.decimalPlaces ?? 0;
  const collateral = `${variables['collateral']}`;
  const mark = shift(market?.marketData?.markPrice ?? '0', -decimals);
  return (
    <div class="answer">
      <Margins margin={estimate.margin} collateral={collateral} unit={unit} />
      <h3>Liquidation price</h3>
      <Liquidation
        estimate={estimate}
        isShort={`${variables['openVolume']}`.startsWith('-')}
        isAtOnce={isClosedOutAtOnce(
          collateral,
          estimate.margin.worstCase.maintenanceMargin,
          market?.cap?.fullyCollateralised ?? false,
        )}
        {...{ unit, mark, decimals }}
      />
    </div>
  );
}

function Margins({ margin: { bestCase, worstCase }, collateral, unit }: MarginsProps) {
  const highest = [worstCase.collateralReleaseLevel, collateral].sort(compare).at(-1) ?? '1';
  const share = (amount: string) => `${(positionIn(amount, '0', highest) * 98).toFixed(2)}%`;
  return (
    <Table
      kind="margins"
      caption={`Margins in ${unit?.symbol ?? 'smallest units'}, without and with slippage; the line is the collateral`}
      columns={COLUMNS}
      rows={LEVELS.map(({ name, of }) => (
        <tr key={of}>
          <th scope="row">{name}</th>
          <td class="number">
            <Amount raw={bestCase[of]} unit={unit} decimals={2} />
          </td>
          <td class="number">
            <Amount raw={worstCase[of]} unit={unit} decimals={2} />
          </td>
          <td class="bars">
            <svg width="100%" height="16" aria-hidden="true">
              <rect class="worst" y="5" height="6" width={share(worstCase[of])} />
              <rect class="best" y="5" height="6" width={share(bestCase[of])} />
              <line x1={share(collateral)} x2={share(collateral)} y1="0" y2="16" />
            </svg>
          </td>
        </tr>
      ))}
    />
  );
}

interface MarginsProps {
  readonly margin: Estimate['margin'];
  readonly collateral: string;
  readonly unit: Unit | null;
}

function Liquidation({
  estimate: { liquidation },
  isShort,
  isAtOnce,
  unit,
  mark,
  decimals,
}: LiquidationProps) {
  // In the asset's smallest unit; on the plot in whole ones, as prices are quoted.
  const [best = '0', worst = '0'] = [liquidation?.bestCase, liquidation?.worstCase].map((one) =>
    shift(one?.openVolumeOnly ?? '0', -(unit?.decimals ?? 0)),
  );
  if (compare(worst, '0') <= 0 && isAtOnce) {
    return (
      <p class="scale quiet">
        With slippage the collateral covers the maintenance margin at no price: the position would be closed
        out at once.
      </p>
    );
  }
  if (compare(best, '0') <= 0 && compare(worst, '0') <= 0) {
    return <p class="scale quiet">No price above zero would close this position out.</p>;
  }
  const marks: readonly Mark[] = [
    { name: 'Mark', at: mark, kind: 'mark-price' },
    { name: 'Best case', at: best, kind: 'best' },
    { name: 'Worst case', at: worst, kind: 'worst' },
  ];
  return <Scale marks={marks} decimals={decimals} closedOut={isShort ? 'above' : 'below'} />;
}

interface LiquidationProps {
  readonly estimate: Estimate;
  readonly isShort: boolean;
  /** What it means that there is no price: that it is closed out at each. */
  readonly isAtOnce: boolean;
  readonly unit: Unit | null;
  /** The mark price, in whole units. */
  readonly mark: string;
  /** How many decimals prices have. */
  readonly decimals: number;
}
