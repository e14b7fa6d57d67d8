import { Link } from '../link.tsx';
import { Amount, type Unit } from '../values.tsx';

/** The asset of a sum. */
export function AssetCell({ id, asset }: { readonly id: string | null; readonly asset: Unit | null }) {
  return (
    <td>
      <Link kind="asset" id={id ?? ''}>
        {asset?.symbol}
      </Link>
    </td>
  );
}

/** How many are summed, and what they come to. */
export function SumCells({ count, amount, asset }: SumCellsProps) {
  return (
    <>
      <td class="number spare">{count}</td>
      <td class="number">
        <Amount raw={amount} unit={asset} decimals={2} hasUnit />
      </td>
    </>
  );
}

interface SumCellsProps {
  readonly count: number;
  readonly amount: string;
  readonly asset: Unit | null;
}
