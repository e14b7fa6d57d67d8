/** All plots, which the page loads once one of them is shown. */
export { BalancePanel } from './plots/balance-panel.tsx';
export { CandlePanel } from './plots/candle-panel.tsx';
export { MarginPanel } from './plots/margin-panel.tsx';
export { RewardsPanel } from './plots/rewards-panel.tsx';
export { TallyPanel } from './plots/tally-panel.tsx';
