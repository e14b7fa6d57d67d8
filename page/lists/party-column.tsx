import { Link } from '../link.tsx';
import type { ListColumn } from '../list.tsx';

/** Whose a row is. */
export const PARTY: ListColumn<{ readonly partyId: string }> = {
  name: 'Party',
  cell: ({ partyId }) => <Link kind="party" id={partyId} />,
};
