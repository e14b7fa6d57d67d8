import './scalars.ts';
import './blocks.ts';
import './block-stream.ts';
import './parties.ts';
import './assets.ts';
import './markets.ts';
import './market-links.ts';
import './market-monitoring.ts';
import './market-data.ts';
import './epochs.ts';
import './fee-discounts.ts';
import './estimate-position.ts';
import './estimate-fee.ts';
import './accounts.ts';
import './deposits.ts';
import './rewards.ts';
import './margin-levels.ts';
import './proposals.ts';
import './votes.ts';
import './changes.ts';
import './nodes.ts';
import './past.ts';
import { builder } from './builder.ts';
import { divideLists } from './divided-lists.ts';
import { requireExposedColumns } from './exposed-columns.ts';
import { resolveInPasts } from './pasts.ts';

/** The one schema: what every transport answers from. */
export const schema = divideLists(resolveInPasts(requireExposedColumns(builder.toSchema())));
